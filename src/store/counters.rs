//! Counters that move with every write of a sort, so that a reader with a cache knows whether to look again.

use async_trait::async_trait;

use super::error::StoreError;

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Counter {
    /// Releases published (the catalogue in force has changed).
    Releases,
}

impl Counter {
    /// How the stores write it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Releases => "releases",
        }
    }
}

/// The port.
#[async_trait]
pub trait Counters: Send {
    /// Its value; 0 where it never moved.
    async fn counter(&mut self, counter: Counter) -> Result<i64, StoreError>;

    /// Moves it by one. Writers of one counter queue on its row, so its order is the order of commits.
    async fn bump(&mut self, counter: Counter) -> Result<(), StoreError>;
}
