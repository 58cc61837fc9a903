//! `PUT /simulator/clock`.

use axum::Json;
use axum::extract::State;
use serde_json::Value;

use crate::api::Api;
use crate::api::contract::Served;
use crate::api::contract::table::simulator::clock::{CLOCK, CLOCK_SETTING};
use crate::api::error::ApiError;
use crate::api::extract::RawBody;
use crate::api::route::{Answer, Operation};
use crate::domain::clock::Mode;
use crate::domain::refusal::{Code, Refusal};

/// What the document says.
pub static OPERATION: Operation = Operation {
    id: "Simulator_SetClock",
    summary: "Changes how simulated time passes; it never goes back.",
    served: Served::Any,
    takes: Some(&CLOCK_SETTING),
    answers: &[Answer::one(200, &CLOCK)],
};

/// Answers it.
pub async fn handle(State(api): State<Api>, body: RawBody) -> Result<Json<Value>, ApiError> {
    let setting = api.scheduler.switch_clock(mode(&body.json()?)?).await?;
    Ok(Json(super::shown(api.service.clock.now(), setting.mode)))
}

fn mode(body: &Value) -> Result<Mode, Refusal> {
    let invalid = |target: &str, message: &str| Refusal::at(Code::InvalidParameter, target, message);
    super::only_members(body, &["mode", "scale"])?;
    let scale = body.get("scale").map(|scale| {
        scale.as_f64().filter(|scale| scale.is_finite() && *scale > 0.0).ok_or_else(|| {
            invalid("scale", "scale must be a number above 0: so many simulated seconds a real second.")
        })
    });
    match (body["mode"].as_str(), scale.transpose()?) {
        (Some("real"), None | Some(1.0)) => Ok(Mode::Real),
        (Some("manual"), None) => Ok(Mode::Manual),
        (Some("scaled"), Some(scale)) => Ok(Mode::Scaled { scale }),
        (Some("scaled"), None) => Err(invalid("scale", "A scaled clock needs its scale, such as 60.")),
        (Some("real" | "manual"), Some(_)) => Err(invalid("scale", "Only a scaled clock has a scale.")),
        _ => Err(invalid("mode", "mode must be 'real', 'scaled' or 'manual'.")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;
    use serde_json::json;

    #[rstest]
    #[case(json!({"mode": "real"}), Mode::Real)]
    #[case(json!({"mode": "manual"}), Mode::Manual)]
    #[case(json!({"mode": "scaled", "scale": 60}), Mode::Scaled { scale: 60.0 })]
    fn a_mode_is_read(#[case] body: Value, #[case] expected: Mode) {
        assert_eq!(mode(&body), Ok(expected));
    }

    #[rstest]
    #[case(json!({}), "mode")]
    #[case(json!([]), "mode")]
    #[case(json!({"mode": "fast"}), "mode")]
    #[case(json!({"mode": "scaled"}), "scale")]
    #[case(json!({"mode": "scaled", "scale": 0}), "scale")]
    #[case(json!({"mode": "scaled", "scale": "60"}), "scale")]
    #[case(json!({"mode": "manual", "scale": 2}), "scale")]
    #[case(json!({"mode": "manual", "now": "2030-01-01T00:00:00Z"}), "now")]
    fn what_is_no_mode_is_refused(#[case] body: Value, #[case] target: &str) {
        assert_eq!(mode(&body).unwrap_err().target.as_deref(), Some(target));
    }
}
