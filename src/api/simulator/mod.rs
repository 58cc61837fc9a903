//! The simulator's own API: no ARM, no api-version, off with `--no-simulator-api`.

pub mod clock;
