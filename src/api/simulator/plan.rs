//! `GET /simulator/updateRuns{run}/plan`.

use axum::Json;
use axum::extract::State;
use axum::http::Uri;

use crate::api::Api;
use crate::api::contract::Served;
use crate::api::contract::table::simulator::plan::PLAN;
use crate::api::error::ApiError;
use crate::api::route::{Answer, Operation};
use crate::domain::refusal::{Code, Refusal};
use crate::domain::resource_id::ResourceId;
use crate::domain::update_run::overview::Overview;

/// What the document says.
pub static OPERATION: Operation = Operation {
    id: "Simulator_GetPlan",
    summary: "Shows a run's plan: who runs where and in what order, who is matched twice, and who by nobody.",
    served: Served::Any,
    takes: None,
    answers: &[Answer::one(200, &PLAN)],
};

/// Answers it.
pub async fn handle(State(api): State<Api>, uri: Uri) -> Result<Json<Overview>, ApiError> {
    Ok(Json(api.service.update_run_overview(&run(uri.path())?).await?))
}

/// The run that the path names.
fn run(path: &str) -> Result<ResourceId, Refusal> {
    let id = path.strip_prefix("/simulator/updateRuns").and_then(|path| path.strip_suffix("/plan"));
    id.unwrap_or(path)
        .parse()
        .map_err(|problem| Refusal::new(Code::BadRequest, format!("The URL names no update run: {problem}.")))
}
