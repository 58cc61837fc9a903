//! `--throttle`: as many requests as Azure Resource Manager lets through (the ARM protocol: headers).
//!
//! A token bucket for each subscription, principal and sort of request, in real time and in this process only. Requests
//! outside a subscription are not counted.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use axum::extract::{Request, State};
use axum::http::{HeaderName, HeaderValue, Method};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use crate::api::error::ApiError;
use crate::api::extract::principal;
use crate::api::state::Api;
use crate::domain::refusal::{Code, Refusal};
use crate::domain::time::Timestamp;

/// Buckets kept; beyond, those that are full again are forgotten, for they say nothing.
const MAX_BUCKETS: usize = 10_000;

/// What a request does, as far as limits go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Sort {
    Read,
    Write,
    Delete,
}

impl Sort {
    fn of(method: &Method) -> Self {
        match *method {
            Method::GET | Method::HEAD => Self::Read,
            Method::DELETE => Self::Delete,
            _ => Self::Write,
        }
    }

    /// What a full bucket holds, and what comes in a second.
    fn limits(self) -> (f64, f64) {
        match self {
            Self::Read => (250.0, 25.0),
            Self::Write | Self::Delete => (200.0, 10.0),
        }
    }

    fn header(self) -> HeaderName {
        HeaderName::from_static(match self {
            Self::Read => "x-ms-ratelimit-remaining-subscription-reads",
            Self::Write => "x-ms-ratelimit-remaining-subscription-writes",
            Self::Delete => "x-ms-ratelimit-remaining-subscription-deletes",
        })
    }
}

/// Whose bucket: subscription in lower case, principal, sort.
type Key = (String, String, Sort);

/// All buckets of the process.
#[derive(Debug, Default)]
pub struct Throttle(Mutex<HashMap<Key, Bucket>>);

#[derive(Clone, Copy, Debug)]
struct Bucket {
    tokens: f64,
    at: Timestamp,
}

impl Bucket {
    /// Filled by what has come since.
    fn refilled(self, sort: Sort, now: Timestamp) -> Self {
        let (full, a_second) = sort.limits();
        let seconds = (now - self.at).as_seconds_f64().max(0.0);
        Self { tokens: (self.tokens + seconds * a_second).min(full), at: now }
    }

    fn is_full(self, sort: Sort, now: Timestamp) -> bool {
        self.refilled(sort, now).tokens >= sort.limits().0
    }
}

impl Throttle {
    /// Takes a token; how many are left, or `None` where there was none.
    fn take(&self, key: Key, now: Timestamp) -> Option<u32> {
        let sort = key.2;
        // A panic elsewhere leaves numbers that are still good.
        let mut buckets = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() >= MAX_BUCKETS {
            buckets.retain(|(_, _, sort), bucket| !bucket.is_full(*sort, now));
        }
        let bucket = buckets.entry(key).or_insert(Bucket { tokens: sort.limits().0, at: now });
        *bucket = bucket.refilled(sort, now);
        if bucket.tokens < 1.0 {
            return None;
        }
        bucket.tokens -= 1.0;
        Some(bucket.tokens as u32)
    }
}

/// Lets a request through as long as there are tokens, and says how many are left.
pub async fn throttle(State(api): State<Api>, request: Request, next: Next) -> Response {
    let subscription = subscription_of(request.uri().path());
    let (Some(throttle), Some(subscription)) = (&api.throttle, subscription) else {
        return next.run(request).await;
    };
    let sort = Sort::of(request.method());
    let key = (subscription, principal(request.headers()).name, sort);
    let left = throttle.take(key, api.service.clock.real_now());
    let mut response = match left {
        Some(_) => next.run(request).await,
        None => ApiError::from(Refusal::new(
            Code::TooManyRequests,
            "The subscription has had more requests than its limit lets through. Wait as long as Retry-After says.",
        ))
        .into_response(),
    };
    response.headers_mut().insert(sort.header(), HeaderValue::from(left.unwrap_or(0)));
    response
}

fn subscription_of(path: &str) -> Option<String> {
    let mut segments = path.split('/').filter(|segment| !segment.is_empty());
    segments.next().filter(|first| first.eq_ignore_ascii_case("subscriptions"))?;
    segments.next().map(str::to_ascii_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::time::from_micros;

    fn at(seconds: i64) -> Timestamp {
        from_micros(seconds * 1_000_000)
    }

    fn key(principal: &str, sort: Sort) -> Key {
        ("s".to_owned(), principal.to_owned(), sort)
    }

    #[test]
    fn a_bucket_is_emptied_and_fills_again() {
        let throttle = Throttle::default();
        let writes: Vec<_> = (0..201).map(|_| throttle.take(key("ada", Sort::Write), at(0))).collect();
        assert_eq!((writes[0], writes[199], writes[200]), (Some(199), Some(0), None));
        assert_eq!(throttle.take(key("ada", Sort::Write), at(1)), Some(9), "ten a second");
        assert_eq!(throttle.take(key("ada", Sort::Write), at(1000)), Some(199), "never more than full");
    }

    #[test]
    fn principals_and_sorts_have_buckets_of_their_own() {
        let throttle = Throttle::default();
        assert_eq!(throttle.take(key("ada", Sort::Read), at(0)), Some(249));
        assert_eq!(throttle.take(key("bob", Sort::Read), at(0)), Some(249));
        assert_eq!(throttle.take(key("ada", Sort::Delete), at(0)), Some(199));
        assert_eq!(throttle.take(key("ada", Sort::Read), at(0)), Some(248));
    }

    #[test]
    fn buckets_that_are_full_again_are_forgotten() {
        let throttle = Throttle::default();
        for i in 0..MAX_BUCKETS {
            throttle.take(key(&i.to_string(), Sort::Read), at(0));
        }
        throttle.take(key("late", Sort::Read), at(60));
        assert_eq!(throttle.0.lock().unwrap().len(), 1);
    }

    #[test]
    fn only_what_is_in_a_subscription_is_counted() {
        assert_eq!(subscription_of("/Subscriptions/AB/resourceGroups"), Some("ab".to_owned()));
        assert_eq!(subscription_of("/simulator/clock"), None);
        assert_eq!(subscription_of("/subscriptions"), None);
    }
}
