//! A row of the route table: where an operation is, what answers it, what the OpenAPI document says about it.
//!
//! The router, the document, the canonical casing of paths and the tests that look for gaps all come from the rows, so
//! none of them can forget one.

use std::convert::Infallible;

use axum::handler::Handler;
use axum::http::Method;
use axum::routing::{MethodFilter, MethodRouter, on};
use axum::{Extension, Router};

use super::contract::Served;
use super::contract::shape::{Object, Shape};
use super::lro::Polling;
use super::state::Api;

/// One operation of the API.
pub struct Route {
    /// Its method.
    pub method: Method,
    /// Its path, as axum writes it.
    pub path: &'static str,
    /// What it is.
    pub operation: &'static Operation,
    handler: MethodRouter<Api>,
}

/// What is said about an operation. Each stands in its handler's file.
#[derive(Debug)]
pub struct Operation {
    /// The official contract's operation id: `Fleets_Get`.
    pub id: &'static str,
    /// One sentence for the document.
    pub summary: &'static str,
    /// At which versions it is served.
    pub served: Served,
    /// The body it takes.
    pub takes: Option<&'static Object>,
    /// What it answers when all is well, and errors that do not follow from its path and method.
    pub answers: &'static [Answer],
}

/// An answer.
#[derive(Clone, Copy, Debug)]
pub struct Answer {
    /// Its status.
    pub status: u16,
    /// Its body.
    pub body: AnswerBody,
    /// How a long-running operation that it begins is polled.
    pub polling: Option<Polling>,
}

/// What an answer carries.
#[derive(Clone, Copy, Debug)]
pub enum AnswerBody {
    /// Nothing.
    Empty,
    /// One of these.
    One(&'static Object),
    /// One of several.
    Shaped(&'static Shape),
    /// A page of these.
    Page(&'static Object),
    /// All of these: there are few.
    List(&'static Object),
    /// Some JSON that the contract's table does not describe.
    Json,
    /// Text of this media type.
    Text(&'static str),
    /// An error, where the row alone does not tell that it can occur.
    Refusal,
}

impl Answer {
    const fn of(status: u16, body: AnswerBody) -> Self {
        Self { status, body, polling: None }
    }

    /// Without a body.
    pub const fn empty(status: u16) -> Self {
        Self::of(status, AnswerBody::Empty)
    }

    /// With an object.
    pub const fn one(status: u16, object: &'static Object) -> Self {
        Self::of(status, AnswerBody::One(object))
    }

    /// With an object that is of one of several types.
    pub const fn shaped(status: u16, shape: &'static Shape) -> Self {
        Self::of(status, AnswerBody::Shaped(shape))
    }

    /// A page.
    pub const fn page(object: &'static Object) -> Self {
        Self::of(200, AnswerBody::Page(object))
    }

    /// A list without pages.
    pub const fn list(object: &'static Object) -> Self {
        Self::of(200, AnswerBody::List(object))
    }

    /// With text of a media type.
    pub const fn text(status: u16, media_type: &'static str) -> Self {
        Self::of(status, AnswerBody::Text(media_type))
    }

    /// With JSON of its own.
    pub const fn json(status: u16) -> Self {
        Self::of(status, AnswerBody::Json)
    }

    /// An error of this status, which follows from nothing else that is said of the operation.
    pub const fn refusal(status: u16) -> Self {
        Self::of(status, AnswerBody::Refusal)
    }

    /// Beginning a long-running operation, by whose headers it is polled.
    #[must_use]
    pub const fn polled(self, polling: Polling) -> Self {
        Self { polling: Some(polling), ..self }
    }
}

/// What [`super::extract::Call`] learns about the route it is on.
#[derive(Clone, Copy, Debug)]
pub(super) struct OnRoute {
    /// The route's path.
    pub path: &'static str,
    /// The route's operation.
    pub operation: &'static Operation,
}

/// A row.
pub fn route<T: 'static>(
    method: Method,
    path: &'static str,
    operation: &'static Operation,
    handler: impl Handler<T, Api>,
) -> Route {
    let filter = match method {
        Method::GET => MethodFilter::GET,
        Method::HEAD => MethodFilter::HEAD,
        Method::PUT => MethodFilter::PUT,
        Method::PATCH => MethodFilter::PATCH,
        Method::DELETE => MethodFilter::DELETE,
        _ => MethodFilter::POST,
    };
    let handler = on(filter, handler).layer::<_, Infallible>(Extension(OnRoute { path, operation }));
    Route { method, path, operation, handler }
}

/// The router of a table.
pub(super) fn router(routes: Vec<Route>) -> Router<Api> {
    routes.into_iter().fold(Router::new(), |router, route| router.route(route.path, route.handler))
}

/// The route a request is on, where it is on one.
pub(super) fn of_request(extensions: &axum::http::Extensions) -> Option<OnRoute> {
    extensions.get::<OnRoute>().copied()
}

/// The type a path is about, as messages name it: `Microsoft.ContainerService/fleets/members`.
pub(super) fn resource_type(path: &str) -> String {
    let segments: Vec<&str> = path.split('/').filter(|segment| !segment.is_empty()).collect();
    let provider = segments.iter().rposition(|segment| *segment == "providers");
    let types = provider.map_or(&segments[..], |at| &segments[at + 1..]);
    types.iter().filter(|segment| !segment.starts_with('{')).copied().collect::<Vec<_>>().join("/")
}
