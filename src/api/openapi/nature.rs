//! What follows from a row of the route table for what the document says about it.
//!
//! Each question about an operation is answered here, from its path, its method and its `OPERATION`; no operation is
//! named. What cannot be told from those belongs into `OPERATION`.

use axum::http::Method;

use crate::api::contract::Served;
use crate::api::contract::shape::{Object, Shape};
use crate::api::lro::Polling;
use crate::api::route::{Answer, AnswerBody, Route};

impl Route {
    /// Whether it is one of Azure Resource Manager's, which all have an api-version.
    pub fn is_arm(&self) -> bool {
        ["/subscriptions", "/providers", "/tenants"].iter().any(|root| self.path.starts_with(root))
    }

    /// Whether it has an api-version: of what is no resource that which clients expect to have one.
    pub(super) fn has_api_version(&self) -> bool {
        self.is_arm() || ["/metadata/", "/dev/"].iter().any(|root| self.path.starts_with(root))
    }

    /// Whether it is in a subscription, and so under its limits.
    pub(super) fn is_throttled(&self) -> bool {
        self.path.starts_with("/subscriptions/")
    }

    /// Whether it asks storage.
    pub(super) fn needs_storage(&self) -> bool {
        self.is_arm() || self.path.starts_with("/simulator") || self.path == "/readyz"
    }

    /// Whether it answers page by page.
    pub(super) fn is_paged(&self) -> bool {
        self.operation.answers.iter().any(|answer| matches!(answer.body, AnswerBody::Page(_)))
    }

    /// Whether it answers the whole of a list.
    pub(super) fn is_list(&self) -> bool {
        self.operation.answers.iter().any(|answer| matches!(answer.body, AnswerBody::List(_)))
    }

    /// Whether it changes anything: a POST that lists credentials does not.
    pub(super) fn writes(&self) -> bool {
        let verb = self.operation.id.split('_').next_back().unwrap_or_default();
        !matches!(self.method, Method::GET | Method::HEAD) && !verb.starts_with("List")
    }

    /// Whether a write honours preconditions: of all resources only groups have no eTag.
    pub(super) fn is_conditional(&self) -> bool {
        self.is_arm() && self.writes() && self.operation.served != Served::Any
    }

    /// Whether a client that has the state already is answered 304: what reads one fleet resource, and what says so.
    pub(super) fn is_conditional_read(&self) -> bool {
        let says_so = self.operation.answers.iter().any(|answer| answer.status == 304);
        let of_fleet = matches!(self.operation.served, Served::Fleet(_));
        says_so || (self.method == Method::GET && of_fleet && !self.is_paged())
    }

    /// Whether its path names something that may not exist, or its type does not exist at all versions.
    pub(super) fn may_miss(&self) -> bool {
        let named = self.path.replace("{subscriptionId}", "").contains('{');
        let some_versions =
            matches!(self.operation.served, Served::Fleet(versions) if versions.iter().count() < 11);
        named || some_versions
    }

    /// How the operation that it begins is polled, where it begins one.
    pub(super) fn polling(&self) -> Option<Polling> {
        self.operation.answers.iter().find_map(|answer| answer.polling)
    }

    /// The objects of the contract's table that it takes or answers.
    pub(super) fn objects(&self) -> Vec<&'static Object> {
        let answered = self.operation.answers.iter().flat_map(|answer| match answer.body {
            AnswerBody::One(object) | AnswerBody::Page(object) | AnswerBody::List(object) => vec![object],
            AnswerBody::Shaped(Shape::AnyOf(shapes)) => shapes.iter().filter_map(object_of).collect(),
            _ => Vec::new(),
        });
        self.operation.takes.into_iter().chain(answered).collect()
    }
}

impl Answer {
    /// Whether it carries the eTag of the resource in its body, or of the one that the client has.
    pub(super) fn has_etag(&self) -> bool {
        match self.body {
            AnswerBody::One(object) => has_etag(object),
            _ => self.status == 304,
        }
    }
}

fn object_of(shape: &Shape) -> Option<&'static Object> {
    if let Shape::Object(object) = shape { Some(object) } else { None }
}

/// A pool has its eTag among its properties.
fn has_etag(object: &Object) -> bool {
    let properties = object.member("properties").and_then(|member| object_of(&member.shape));
    [Some(object), properties].into_iter().flatten().any(|object| object.member("eTag").is_some())
}
