//! `PUT /simulator/behaviors{cluster}`.

use axum::Json;
use axum::extract::State;
use axum::http::Uri;

use crate::api::Api;
use crate::api::attempt::attempt;
use crate::api::contract::Served;
use crate::api::contract::table::simulator::behavior::BEHAVIOR;
use crate::api::error::ApiError;
use crate::api::extract::RawBody;
use crate::api::route::{Answer, Operation};
use crate::domain::managed_cluster::Behavior;

/// What the document says.
pub static OPERATION: Operation = Operation {
    id: "Simulator_SetBehavior",
    summary: "Tells a cluster how fast it is, what fails, whether it hangs or is busy.",
    served: Served::Any,
    takes: Some(&BEHAVIOR),
    answers: &[Answer::one(200, &BEHAVIOR)],
};

/// Answers it.
pub async fn handle(State(api): State<Api>, uri: Uri, body: RawBody) -> Result<Json<Behavior>, ApiError> {
    let cluster = super::cluster(&uri)?;
    let behavior = body.read_plain(&BEHAVIOR, Behavior::read_into)?;
    attempt(|| api.service.set_behavior(&cluster, Some(behavior.clone()))).await?;
    Ok(Json(behavior))
}
