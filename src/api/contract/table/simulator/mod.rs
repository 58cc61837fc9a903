//! The simulator's own bodies, and what the process says of its health.

pub mod behavior;
pub mod catalogue;
pub mod clock;
pub mod clusters;
pub mod health;
pub mod plan;
pub mod release;
