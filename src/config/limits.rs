//! The limits section: what the service refuses or slows down.

use clap::{Args, builder::BoolishValueParser};

/// Quotas and strictness.
#[derive(Debug, Clone, PartialEq, Eq, Args)]
pub struct LimitsConfig {
    /// Members a fleet may have; one more is refused with 409 QuotaExceeded
    #[arg(long, env = "FLEETPLANE_MAX_MEMBERS", value_name = "COUNT", default_value_t = 1000,
          value_parser = clap::value_parser!(u32).range(1..))]
    pub max_members: u32,

    /// Refuse writes into a resource group that does not exist (404), instead of creating it
    #[arg(long, env = "FLEETPLANE_STRICT_RESOURCE_GROUPS", value_parser = BoolishValueParser::new())]
    pub strict_resource_groups: bool,

    /// Throttle each subscription and principal as Azure Resource Manager does (429 with Retry-After)
    #[arg(long, env = "FLEETPLANE_THROTTLE", value_parser = BoolishValueParser::new())]
    pub throttle: bool,
}
