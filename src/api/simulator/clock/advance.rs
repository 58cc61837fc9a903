//! `POST /simulator/clock/advance`.

use axum::Json;
use axum::extract::State;
use chrono::{DateTime, Utc};
use serde_json::{Value, json};

use crate::api::Api;
use crate::api::contract::Served;
use crate::api::contract::table::simulator::clock::{CLOCK_ADVANCE, CLOCK_READING};
use crate::api::error::ApiError;
use crate::api::extract::RawBody;
use crate::api::route::{Answer, Operation};
use crate::domain::iso_duration::parse_iso_duration;
use crate::domain::refusal::{Code, Refusal};
use crate::domain::time::{LAST, Timestamp, to_rfc3339, to_stored_precision};

/// What the document says.
pub static OPERATION: Operation = Operation {
    id: "Simulator_AdvanceClock",
    summary: "Moves a manual clock, event by event, and returns when all that falls due is done.",
    served: Served::Any,
    takes: Some(&CLOCK_ADVANCE),
    answers: &[Answer::one(200, &CLOCK_READING)],
};

/// Answers it.
pub async fn handle(State(api): State<Api>, body: RawBody) -> Result<Json<Value>, ApiError> {
    let body = body.json()?;
    let scheduler = std::sync::Arc::clone(&api.scheduler);
    // A client that gives up does not leave the clock between two events.
    let advance = async move { scheduler.advance_clock(|now| target(&body, now)).await };
    let now = tokio::spawn(advance).await.map_err(|_| {
        Refusal::new(Code::InternalServerError, "The clock was not advanced as far as was asked.")
    })??;
    Ok(Json(json!({ "now": to_rfc3339(now) })))
}

fn target(body: &Value, now: Timestamp) -> Result<Timestamp, Refusal> {
    let invalid = |target: &str, message: String| Refusal::at(Code::InvalidParameter, target, message);
    super::only_members(body, &["by", "to"])?;
    match (body.get("by"), body.get("to")) {
        (Some(by), None) => {
            let text =
                by.as_str().ok_or_else(|| invalid("by", "by must be a text such as \"PT6H\".".to_owned()))?;
            let by = parse_iso_duration(text).map_err(|problem| invalid("by", format!("{problem}.")))?;
            now.checked_add_signed(by)
                .filter(|to| *to <= LAST)
                .ok_or_else(|| invalid("by", "That is beyond the year 9999.".to_owned()))
        }
        (None, Some(to)) => {
            let parsed = to.as_str().and_then(|text| DateTime::parse_from_rfc3339(text).ok());
            parsed.map(|to| to_stored_precision(to.with_timezone(&Utc))).filter(|to| *to <= LAST).ok_or_else(
                || invalid("to", "to must be an RFC 3339 time such as \"2026-12-01T00:00:00Z\".".to_owned()),
            )
        }
        _ => {
            Err(invalid("by", "Give by, a duration such as \"PT6H\", or to, a time; one of them.".to_owned()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::time::from_micros;
    use rstest::rstest;

    #[rstest]
    #[case(json!({"by": "PT6H"}), 21_600_000_000)]
    #[case(json!({"to": "1970-01-02T00:00:00+01:00"}), 82_800_000_000)]
    fn a_target_is_read(#[case] body: Value, #[case] micros: i64) {
        assert_eq!(target(&body, from_micros(0)), Ok(from_micros(micros)));
    }

    #[rstest]
    #[case(json!({}), "by")]
    #[case(json!({"by": "PT1H", "to": "1970-01-02T00:00:00Z"}), "by")]
    #[case(json!({"by": 5}), "by")]
    #[case(json!({"by": "1h"}), "by")]
    #[case(json!({"by": "P9000000D"}), "by")]
    #[case(json!({"to": "tomorrow"}), "to")]
    #[case(json!({"by": "PT1H", "until": "PT2H"}), "until")]
    fn what_is_no_target_is_refused(#[case] body: Value, #[case] at: &str) {
        assert_eq!(target(&body, from_micros(0)).unwrap_err().target.as_deref(), Some(at));
    }
}
