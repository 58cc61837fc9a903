//! The service's settings, one file a section, each a group of command-line flags.
//!
//! What may not live here: reading the environment by hand (clap does it, so that flags win over `FLEETPLANE_*`
//! variables and those over defaults, in one place) and anything that acts on a setting (that is `app`).
//!
//! To add a setting: add a field with its doc comment (it is the `--help` text), its `env` name and its default to the
//! section it belongs to; a new kind of value gets a type with `FromStr` whose error says what would be right. Then add
//! it to the README's table. `cli`'s tests check that its variable follows the naming rule.

mod clock;
mod http;
mod limits;
mod log;
mod simulation;
mod storage;
mod tls;

pub use clock::{ClockConfig, ClockSetting, DEFAULT_MANUAL_START};
pub use http::{HttpConfig, PublicUrl};
pub use limits::LimitsConfig;
pub use log::{LogConfig, LogFormat};
pub use simulation::{OperationDurations, SimulationConfig};
pub use storage::{DatabaseUrl, MigrationConfig, StorageConfig};
pub use tls::{CertificateSource, TlsConfig};

/// Why a setting's text was refused; shown by clap after the flag's name and the value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct InvalidSetting(String);

impl InvalidSetting {
    fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }
}
