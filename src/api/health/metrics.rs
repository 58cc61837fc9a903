//! `GET /metrics`: everything the service counts, for Prometheus.
//!
//! Most numbers are kept as things happen; the pool's and the runs' are looked up when somebody asks.

use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;

use crate::api::Api;
use crate::api::contract::Served;
use crate::api::route::{Answer, Operation};

/// What the document says.
pub static OPERATION: Operation = Operation {
    id: "Health_Metrics",
    summary: "Shows the service's metrics in the OpenMetrics text format.",
    served: Served::Any,
    takes: None,
    answers: &[Answer::text(200, OPEN_METRICS)],
};

/// The format's media type.
const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Answers it; without the runs' numbers brought up to date where storage does not answer, for then the others matter.
pub async fn handle(State(api): State<Api>) -> impl IntoResponse {
    let pool = api.service.store.pool();
    api.metrics.set_pool(pool.open, pool.idle as usize);
    match api.service.count_update_runs().await {
        Ok(counts) => counts.into_iter().for_each(|(state, count)| api.metrics.set_runs(state.name(), count)),
        Err(error) => tracing::warn!(error = &error as &dyn std::error::Error, "runs are not counted"),
    }
    ([(header::CONTENT_TYPE, OPEN_METRICS)], api.metrics.render())
}
