//! Trying a use case again when somebody else wrote between its read and its write.
//!
//! The creation of a record can race (an existing one is locked when it is read), and a database with several writers
//! may end a transaction in favour of another (a deadlock). Nothing of it was written then; the second attempt finds
//! what the other has made, and answers by it. Every write goes through here.

use std::future::Future;

use super::error::ApiError;
use crate::service::ServiceError;
use crate::store::StoreError;

/// How often a request is tried.
const ATTEMPTS: usize = 5;

/// The result of the first attempt that nobody interfered with.
///
/// # Errors
/// The use case's; the interference itself where it never ends.
pub async fn attempt<T, F>(mut use_case: impl FnMut() -> F) -> Result<T, ApiError>
where
    F: Future<Output = Result<T, ServiceError>>,
{
    for _ in 1..ATTEMPTS {
        match use_case().await {
            Err(ServiceError::Store(StoreError::Exists { .. } | StoreError::Conflict { .. })) => {}
            other => return Ok(other?),
        }
    }
    Ok(use_case().await?)
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[tokio::test]
    async fn a_lost_race_is_tried_again_but_not_for_ever() {
        let tried = Cell::new(0);
        let lose = |until: usize| {
            let tried = &tried;
            move || {
                tried.set(tried.get() + 1);
                let lost = tried.get() < until;
                async move { if lost { Err(StoreError::Exists { key: "k".to_owned() }.into()) } else { Ok(()) } }
            }
        };
        assert!(attempt(lose(3)).await.is_ok());
        assert_eq!(tried.get(), 3);
        assert!(attempt(lose(usize::MAX)).await.is_err());
        assert_eq!(tried.get(), 3 + ATTEMPTS);
    }
}
