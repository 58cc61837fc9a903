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
pub mod gates;
pub mod lro;
mod middleware;
pub mod page;
pub mod resource;
pub mod route;
pub mod simulator;
mod state;
pub mod update_runs;

pub use state::Api;

use axum::Router;
use axum::http::Method;
use axum::middleware::from_fn_with_state;
use tower_http::catch_panic::CatchPanicLayer;

use self::route::{Route, route};

macro_rules! fleet {
    ($rest:literal) => {
        concat!(
            "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/",
            "Microsoft.ContainerService/fleets/{fleetName}",
            $rest
        )
    };
}

macro_rules! run {
    () => {
        fleet!("/updateRuns/{updateRunName}")
    };
    ($rest:literal) => {
        concat!(fleet!("/updateRuns/{updateRunName}"), $rest)
    };
}

/// Every operation of the API.
pub fn routes() -> Vec<Route> {
    let mut table = update_run_routes();
    table.extend(simulator_routes());
    table
}

fn update_run_routes() -> Vec<Route> {
    vec![
        route(Method::GET, fleet!("/updateRuns"), &update_runs::list::OPERATION, update_runs::list::handle),
        route(Method::GET, run!(), &update_runs::get::OPERATION, update_runs::get::handle),
        route(Method::PUT, run!(), &update_runs::put::OPERATION, update_runs::put::handle),
        route(Method::DELETE, run!(), &update_runs::delete::OPERATION, update_runs::delete::handle),
        route(Method::POST, run!("/start"), &update_runs::start::OPERATION, update_runs::start::handle),
        route(Method::POST, run!("/stop"), &update_runs::stop::OPERATION, update_runs::stop::handle),
        route(Method::POST, run!("/skip"), &update_runs::skip::OPERATION, update_runs::skip::handle),
        route(Method::GET, fleet!("/gates"), &gates::list::OPERATION, gates::list::handle),
        route(Method::GET, fleet!("/gates/{gateName}"), &gates::get::OPERATION, gates::get::handle),
        route(Method::PATCH, fleet!("/gates/{gateName}"), &gates::patch::OPERATION, gates::patch::handle),
    ]
}

fn simulator_routes() -> Vec<Route> {
    use simulator::clock;
    const CLOCK: &str = "/simulator/clock";
    vec![
        route(Method::GET, CLOCK, &clock::get::OPERATION, clock::get::handle),
        route(Method::PUT, CLOCK, &clock::put::OPERATION, clock::put::handle),
        route(Method::POST, "/simulator/clock/advance", &clock::advance::OPERATION, clock::advance::handle),
    ]
}

/// The whole service as a router.
pub fn router(api: Api) -> Router {
    let mut routes = routes();
    routes.retain(|route| api.simulator || !route.path.starts_with("/simulator"));
    let segments = middleware::Canonical::of(routes.iter().map(|route| route.path));
    let inner = route::router(routes)
        .fallback(fallback::unknown_path)
        .method_not_allowed_fallback(fallback::unknown_method)
        .layer(CatchPanicLayer::custom(middleware::answer_panic))
        .layer(from_fn_with_state(api.clone(), middleware::exchange))
        .with_state(api);
    Router::new().fallback_service(middleware::canonical(segments, inner))
}
