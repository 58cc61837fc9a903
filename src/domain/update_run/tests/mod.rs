//! The engine against its specification: sentence by sentence, as scenarios, over random worlds, and against a model.

mod flow;
mod properties;
