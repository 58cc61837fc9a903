//! What the service tells about itself: log lines on standard error and metrics.
//!
//! What may not live here: deciding what is worth a line; that is said where it happens, through `tracing`.
//! All metric names stand in [`metrics`].

pub mod metrics;

use tracing::level_filters::LevelFilter;
use tracing_subscriber::{EnvFilter, layer::SubscriberExt as _, util::SubscriberInitExt as _};

use crate::config::LogFormat;

pub use metrics::Metrics;

/// Sends log lines to standard error in `format`, those that `RUST_LOG` asks for (else those of `default` and above),
/// for the rest of the process.
///
/// # Errors
/// When the process has a subscriber already.
pub fn init(format: LogFormat, default: LevelFilter) -> Result<(), tracing_subscriber::util::TryInitError> {
    let filter = EnvFilter::builder().with_default_directive(default.into()).from_env_lossy();
    let lines = tracing_subscriber::fmt::layer().with_writer(std::io::stderr);
    let registry = tracing_subscriber::registry().with(filter);
    match format {
        LogFormat::Text => registry.with(lines.with_ansi(is_terminal())).try_init(),
        LogFormat::Json => registry.with(lines.json().flatten_event(true)).try_init(),
    }
}

/// Whether colours would reach a person.
fn is_terminal() -> bool {
    std::io::IsTerminal::is_terminal(&std::io::stderr())
}
