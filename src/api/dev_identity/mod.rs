//! An identity for clients on the same machine, in the form of App Service's managed identities; served with
//! `--dev-identity` only. It proves nothing: the service takes every token unverified.

pub mod token;
