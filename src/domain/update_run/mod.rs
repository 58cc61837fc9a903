//! The update-run engine: what a run does next, decided purely (the engine's specification).
//!
//! **Flow.** [`plan`] freezes who runs where. `start` ([`command`]) and every later look ([`advance`]) bring the run as
//! far as it goes *now*: stages in order; in a stage before-gates, then groups in parallel, then after-gates and wait side by
//! side; in a group before-gates, members, after-gates. A member is judged ([`judge`]) when a slot is free for it: it
//! starts, waits (Pending), is skipped or fails. [`rollup`] derives the states above members, [`explain`] says why
//! anything waits. What is to be done to clusters comes out as data ([`StartUpgrade`]), after the state that implies it.
//!
//! **Times.** `startTime`: run at start; gate and wait when reached; member when first judged in its attempt (none where
//! it is skipped by request); group and stage when their first member is judged. `completedTime`: when ended.
//!
//! **Guarantees.** Limits are never exceeded; a member is upgraded at most once in one attempt; stages keep their order;
//! nothing starts after a breach, a stop, or before its gate; every run ends or waits for a stated reason with a wake-up
//! or a named signal; same inputs, same result. [`invariants`] states them; every debug build checks them.
//!
//! **Assumptions.** One caller at a time advances a run and saves what comes out before it acts; operation ids are carried
//! out at most once; whoever changes a cluster says so (`touched`).
//!
//! **Caveats.** A step with members in `observe` is not finished: it must be repeated with them before anything is saved.
//! While the run stops nothing closes, so that whatever failed last can be tried again by the next start.
//!
//! **Where the specification leaves room.** Starts decided in the very instant of a breach are taken back: they were not
//! acted on. A group all of whose members were skipped on request before any was judged closes at once, with its gates,
//! and so does a stage of such groups: nobody wants to approve for nothing. A group or stage that is skipped by name
//! closes as soon as nothing of it is in flight; what a skip does not name stays open and goes its way. A member that
//! waits for a slot when its window shuts waits for the next opening. Custom images and no pool of a given family: skipped,
//! in a Full run too. A member that leaves the fleet in flight gives its slot back at once. An operation that outlasts
//! the time it named is waited for without a time. A run that failed stays so while its failed members are skipped.
//!
//! No I/O, no clock, no randomness here. To add a rule about members go to [`judge`], about order to `advance::flow`, about
//! what users may do to [`command`].

pub mod advance;
pub mod command;
pub mod document;
pub mod explain;
pub mod index;
pub mod invariants;
pub mod judge;
pub mod observe;
pub mod overview;
pub mod pending;
pub mod plan;
pub mod rollup;
pub mod skip;
pub mod spec;
pub mod state;
mod stop;
pub mod target;
#[cfg(any(test, feature = "test-util"))]
pub mod testing;
#[cfg(test)]
mod tests;

pub use advance::{StartUpgrade, Step, advance};
pub use document::UpdateRun;
pub use spec::RunSpec;
pub use state::Run;
