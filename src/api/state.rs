//! What handlers share: the use cases, and how the service calls itself.

use std::sync::Arc;

use super::middleware::Throttle;
use crate::scheduler::Scheduler;
use crate::service::Service;
use crate::telemetry::Metrics;

/// The API's state, one for the process.
#[derive(Clone)]
pub struct Api {
    /// The use cases.
    pub service: Service,
    /// What moves the clock, and says whether it is alive.
    pub scheduler: Arc<Scheduler>,
    /// The base of absolute URLs, where it is not the request's own scheme and host.
    pub public_url: Option<String>,
    /// Whether `/simulator` is served.
    pub simulator: bool,
    /// Whether `/dev/identity` is served.
    pub dev_identity: bool,
    /// The limits of subscriptions, where requests are throttled.
    pub throttle: Option<Arc<Throttle>>,
    /// Where requests are counted.
    pub metrics: Arc<Metrics>,
}
