//! What the simulator is told about one cluster: how fast it is, what fails, whether it hangs or is busy.

use std::fmt;
use std::str::FromStr;

use chrono::TimeDelta;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::domain::lifecycle::OperationError;
use crate::domain::refusal::{Code, Faults};
use crate::domain::time::Timestamp;

/// Minutes of simulated time that a control plane takes, where nothing else is said.
const CONTROL_PLANE_MINUTES: u32 = 5;
/// Minutes that a batch of nodes takes, where nothing else is said.
const POOL_BATCH_MINUTES: u32 = 3;

/// How a cluster behaves; absent members mean "as usual".
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Behavior {
    /// Minutes that an upgrade of the control plane takes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub control_plane_minutes: Option<u32>,
    /// Minutes that a batch of nodes takes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pool_batch_minutes: Option<u32>,
    /// Steps that fail.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failures: Vec<FailureRule>,
    /// Until when it refuses operations.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub busy_until: Option<Timestamp>,
    /// Whether upgrades that start now never end by themselves.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hang: bool,
}

/// A step that fails, a number of times.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FailureRule {
    /// Which step.
    pub at: StepName,
    /// How many more times.
    #[serde(default = "once")]
    pub times: u32,
    /// The error's code.
    #[serde(default = "default_code")]
    pub code: String,
    /// The error's message.
    #[serde(default = "default_message")]
    pub message: String,
}

fn once() -> u32 {
    1
}

fn default_code() -> String {
    "UpgradeFailed".to_owned()
}

fn default_message() -> String {
    "The simulator was told to fail this step.".to_owned()
}

/// A step of an upgrade, written `ControlPlane` or `AgentPool:NAME`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum StepName {
    /// The control plane.
    ControlPlane,
    /// The pool of this name.
    AgentPool(String),
}

impl FromStr for StepName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once(':') {
            None if text == "ControlPlane" => Ok(Self::ControlPlane),
            Some(("AgentPool", name)) if !name.is_empty() => Ok(Self::AgentPool(name.to_owned())),
            _ => Err(format!("'{text}' is not a step; expected ControlPlane or AgentPool:NAME")),
        }
    }
}

impl TryFrom<String> for StepName {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl fmt::Display for StepName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ControlPlane => f.write_str("ControlPlane"),
            Self::AgentPool(name) => write!(f, "AgentPool:{name}"),
        }
    }
}

impl From<StepName> for String {
    fn from(step: StepName) -> Self {
        step.to_string()
    }
}

impl Behavior {
    /// Reads a body that has the contract's shape, noting every rule that is broken with its JSON path; what it returns
    /// is of use only where nothing was wrong.
    pub fn read_into(body: &Value, faults: &mut Faults) -> Self {
        for member in ["controlPlaneMinutes", "poolBatchMinutes"] {
            check_number(&body[member], member, faults);
        }
        for (i, failure) in body["failures"].as_array().into_iter().flatten().enumerate() {
            check_number(&failure["times"], &format!("failures[{i}].times"), faults);
            if let Some(Err(problem)) = failure["at"].as_str().map(str::parse::<StepName>) {
                faults.add(Code::InvalidParameter, format!("failures[{i}].at"), format!("{problem}."));
            }
        }
        if !faults.is_empty() {
            return Self::default();
        }
        serde_json::from_value(body.clone()).unwrap_or_else(|problem| {
            faults.add(Code::InvalidParameter, "", format!("The body is not a behavior: {problem}."));
            Self::default()
        })
    }

    /// How long the control plane takes.
    pub fn control_plane(&self) -> TimeDelta {
        minutes(self.control_plane_minutes.unwrap_or(CONTROL_PLANE_MINUTES))
    }

    /// How long one batch of nodes takes.
    pub fn batch(&self) -> TimeDelta {
        minutes(self.pool_batch_minutes.unwrap_or(POOL_BATCH_MINUTES))
    }

    /// What this step is to fail with, counted down: a step that is asked for is a step that will be reached.
    pub fn take_failure(&mut self, step: &StepName) -> Option<OperationError> {
        let rule = self.failures.iter_mut().find(|rule| rule.at == *step && rule.times > 0)?;
        rule.times -= 1;
        Some(OperationError { code: rule.code.clone(), message: rule.message.clone() })
    }
}

fn check_number(value: &Value, at: &str, faults: &mut Faults) {
    if value.is_number() && value.as_u64().is_none_or(|number| number > u64::from(u32::MAX)) {
        let message = format!("Expected a number from 0 to {} here, found {value}.", u32::MAX);
        faults.add(Code::InvalidParameter, at, message);
    }
}

fn minutes(minutes: u32) -> TimeDelta {
    TimeDelta::minutes(i64::from(minutes))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_behavior_is_read_as_it_is_written() {
        let body = json!({
            "controlPlaneMinutes": 1,
            "failures": [{"at": "AgentPool:np1", "times": 2, "code": "Quota", "message": "no cores"}],
            "busyUntil": "2026-12-01T00:00:00Z",
            "hang": true,
        });
        let behavior: Behavior = serde_json::from_value(body.clone()).unwrap();
        assert_eq!(serde_json::to_value(&behavior).unwrap(), body);
        assert!(serde_json::from_value::<Behavior>(json!({"hangs": true})).is_err());
        assert!(serde_json::from_value::<Behavior>(json!({"failures": [{"at": "Pool"}]})).is_err());
    }

    #[test]
    fn a_failure_counts_down_to_success() {
        let rule = json!({"failures": [{"at": "ControlPlane", "times": 2}]});
        let mut behavior: Behavior = serde_json::from_value(rule).unwrap();
        let mut failed = || behavior.take_failure(&StepName::ControlPlane).is_some();
        assert_eq!([failed(), failed(), failed()], [true, true, false]);
        assert!(behavior.take_failure(&StepName::AgentPool("a".to_owned())).is_none());
    }
}
