//! What happens around every request, whatever answers it.
//!
//! From the outside in: `paths` (canonical casing), `exchange` (request ids, cache control, the log line, the counters),
//! `bodies` (taken to their end), `throttle`, `panics`. What is about one operation belongs to its handler.

mod bodies;
mod exchange;
mod panics;
mod paths;
mod throttle;

pub(super) use bodies::take_body;
pub use exchange::CorrelationId;
pub(super) use exchange::exchange;
pub(super) use panics::answer_panic;
pub(super) use paths::{Canonical, canonical};
pub use throttle::Throttle;
pub(super) use throttle::throttle;
