//! `fleets`.

mod delete;
mod get;
mod list;
mod patch;
mod put;
