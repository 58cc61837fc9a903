//! The engine against its specification: sentence by sentence, as scenarios, over random worlds, and against a model.

mod cost;
mod flow;
mod golden;
mod judging;
mod model;
mod plan;
mod properties;
mod skipping;
mod slots;
mod stopping;
