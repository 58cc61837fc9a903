//! What a client asks before it signs in: where things are. `az cloud register` reads it.

pub mod endpoints;
