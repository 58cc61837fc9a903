//! `fleets/updateStrategies`.

mod put;
