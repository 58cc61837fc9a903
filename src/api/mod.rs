//! The HTTP API: requests become use cases, their results become answers.
//!
//! [`routes`] is the whole table; a row's handler, what the OpenAPI document says about it, and its tests are in one
//! file, one folder a resource. No rule of a resource lives here, and no transaction. To add an operation, write its
//! file and add its row; the router, the document and the tests of completeness follow.

pub mod contract;
pub mod error;
pub mod extract;
mod fallback;
pub mod filter;
pub mod lro;
mod middleware;
pub mod page;
pub mod resource;
pub mod route;
mod state;

pub use state::Api;

use axum::Router;
use axum::middleware::from_fn_with_state;
use tower_http::catch_panic::CatchPanicLayer;

use self::route::Route;

/// Every operation of the API.
pub fn routes() -> Vec<Route> {
    vec![]
}

/// The whole service as a router.
pub fn router(api: Api) -> Router {
    let routes = routes();
    let segments = middleware::Canonical::of(routes.iter().map(|route| route.path));
    let inner = route::router(routes)
        .fallback(fallback::unknown_path)
        .method_not_allowed_fallback(fallback::unknown_method)
        .layer(CatchPanicLayer::custom(middleware::answer_panic))
        .layer(from_fn_with_state(api.clone(), middleware::exchange))
        .with_state(api);
    Router::new().fallback_service(middleware::canonical(segments, inner))
}
