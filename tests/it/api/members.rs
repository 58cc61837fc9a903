//! `fleets/members`.

mod delete;
mod list;
mod patch;
mod put;
