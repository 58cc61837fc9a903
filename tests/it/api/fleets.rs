//! `fleets`.

mod delete;
mod get;
mod list;
mod list_credentials;
mod patch;
mod put;
