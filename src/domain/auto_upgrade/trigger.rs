//! What becomes of a release: whether it concerns a profile, and whether a run comes of it.
//!
//! [`news`] compares, [`decide`] decides, [`turn`] lets a run go that waited. A decision carries the message that users
//! read; nothing here makes or starts anything. To let something else stand in a run's way, add an [`Obstacle`].

use std::collections::BTreeSet;

use super::status::{TriggerError, TriggerOutcome, TriggerStatus};
use super::target::NoTarget;
use super::{AutoUpgradeProfile, ChannelTarget, Newest};
use crate::domain::kubernetes_version::Minor;
use crate::domain::refusal::{Code, Refusal};
use crate::domain::resource_id::ResourceId;
use crate::domain::time::Timestamp;
use crate::domain::update_run::state::UpdateState;

/// Where the profile's channel has moved since it was seen last, for clusters of these image families; `None` where it
/// has not, or the profile is disabled. Families that have come into use, and windows that open, are no news.
pub fn news(
    profile: &AutoUpgradeProfile,
    newest: &Newest,
    families: &BTreeSet<String>,
) -> Option<Result<ChannelTarget, NoTarget>> {
    if profile.spec.is_disabled() || *newest == profile.seen {
        return None;
    }
    let (before, now) = (profile.seen.target(families), newest.target(families));
    (before != now).then_some(now)
}

/// Why a profile can make no run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// The strategy it names is gone, or not one of its fleet.
    NoStrategy(ResourceId),
    /// The fleet has no members.
    EmptyFleet,
    /// The minor it follows left support.
    Unsupported(Minor),
    /// Nothing was released on its channel.
    NothingReleased,
}

impl From<NoTarget> for Obstacle {
    fn from(none: NoTarget) -> Self {
        match none {
            NoTarget::Unsupported(minor) => Self::Unsupported(minor),
            NoTarget::NothingReleased => Self::NothingReleased,
        }
    }
}

impl Obstacle {
    /// A code for programs.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NoStrategy(_) => "UpdateStrategyNotFound",
            Self::EmptyFleet => "NoMembersToUpgrade",
            Self::Unsupported(_) => "KubernetesVersionNotSupported",
            Self::NothingReleased => "NothingReleased",
        }
    }

    /// What is the case, and what would help.
    pub fn message(&self) -> String {
        match self {
            Self::NoStrategy(id) => {
                format!(
                    "The update strategy {id} does not exist. Create it, or let the profile name another."
                )
            }
            Self::EmptyFleet => "The fleet has no members. Let clusters join it.".to_owned(),
            Self::Unsupported(minor) => format!(
                "Kubernetes {minor} is no longer supported for this profile. Let it follow a newer minor, or enable \
                 longTermSupport where that still covers {minor}."
            ),
            Self::NothingReleased => {
                "Nothing was released on this channel that the fleet's clusters could take.".to_owned()
            }
        }
    }

    /// The answer to somebody who asks for a run.
    pub fn refusal(&self) -> Refusal {
        let code =
            if *self == Self::EmptyFleet { Code::NoMembersToUpgrade } else { Code::OperationNotAllowed };
        Refusal::new(code, self.message())
    }
}

/// What is known when a profile's channel has moved.
#[derive(Clone, Copy, Debug)]
pub struct Situation<'a> {
    /// The name of the run for the new target.
    pub run: &'a str,
    /// That run's state, where there is one already.
    pub existing: Option<UpdateState>,
    /// Another run of the profile that is under way.
    pub active: Option<&'a str>,
    /// Whether any member would not be skipped; of no matter where the run exists.
    pub has_work: bool,
}

/// What becomes of a new target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// Its run starts now; it is made first where there is none.
    Start,
    /// Its run starts when the one under way is over; it is made where there is none.
    Wait,
    /// Its run was started before, so that nothing is to be done.
    LeaveAlone,
    /// All members are there already, or out of reach.
    NothingToDo,
}

/// What becomes of a new target.
pub fn decide(situation: Situation<'_>) -> Decision {
    match situation.existing {
        Some(state) if state != UpdateState::NotStarted => Decision::LeaveAlone,
        None if !situation.has_work => Decision::NothingToDo,
        _ if situation.active.is_some() => Decision::Wait,
        _ => Decision::Start,
    }
}

impl Decision {
    /// What users read about it.
    fn message(self, situation: Situation<'_>) -> String {
        let Situation { run, existing, active, .. } = situation;
        match self {
            Self::Start => format!("Update run {run} was started."),
            Self::Wait => format!(
                "Update run {run} starts when update run {} of this profile is over.",
                active.unwrap_or_default()
            ),
            Self::LeaveAlone => format!(
                "Update run {run} is there for this target already and is left alone: it is {}.",
                existing.unwrap_or_default().name()
            ),
            Self::NothingToDo => {
                "No run was made: there is nothing to do for any member. Each is at the target, ahead of it, or cannot \
                 be upgraded to it by auto-upgrade."
                    .to_owned()
            }
        }
    }

    /// The status that says so.
    pub fn status(self, target: &ChannelTarget, situation: Situation<'_>, now: Timestamp) -> TriggerStatus {
        TriggerStatus {
            last_triggered_at: Some(now),
            last_trigger_status: Some(TriggerOutcome::Succeeded),
            last_trigger_error: None,
            last_trigger_upgrade_versions: target.versions(),
            last_trigger_message: Some(self.message(situation)),
        }
    }
}

/// The status that says why no run came of a trigger. `target` is where the channel moved, where it is anywhere.
pub fn failed(error: TriggerError, target: Option<&ChannelTarget>, now: Timestamp) -> TriggerStatus {
    TriggerStatus {
        last_triggered_at: Some(now),
        last_trigger_status: Some(TriggerOutcome::Failed),
        last_trigger_message: Some(format!("No run was made: {}", error.message)),
        last_trigger_error: Some(error),
        last_trigger_upgrade_versions: target.map(ChannelTarget::versions).unwrap_or_default(),
    }
}

/// What becomes of a run that waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// It starts.
    Start,
    /// It goes on waiting.
    Wait,
    /// It does not wait any more: somebody started or deleted it.
    Forget,
}

/// What becomes of a profile's waiting run, which is in this state where it still exists.
pub fn turn(disabled: bool, state: Option<UpdateState>, is_another_active: bool) -> Turn {
    match state {
        Some(UpdateState::NotStarted) if disabled || is_another_active => Turn::Wait,
        Some(UpdateState::NotStarted) => Turn::Start,
        _ => Turn::Forget,
    }
}
