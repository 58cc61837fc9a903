//! What happened in a run, for people: one line per change.

use super::Event;
use crate::domain::time::Timestamp;
use crate::domain::update_run::state::{Gate, Group, Member, Run, Stage, Status, Timing};

/// A line with its time.
pub fn line(now: Timestamp, text: &str) -> String {
    format!("{} {text}", now.format("%a %d %H:%M:%S"))
}

/// The line of an event.
pub fn event(now: Timestamp, event: &Event) -> String {
    line(now, &format!("> {event:?}"))
}

/// The lines of what differs between two states of a run, from the run down to gates and waits.
pub fn changes(now: Timestamp, before: &Run, after: &Run, diary: &mut Vec<String>) {
    let mut lines = Vec::new();
    status("run", &before.status, &after.status, &mut lines);
    for (old, new) in before.stages.iter().zip(&after.stages) {
        stage(old, new, &mut lines);
        for (old, new) in old.groups.iter().zip(&new.groups) {
            let place = format!(
                "{}/{}",
                after.stages.iter().find(|s| s.groups.contains(new)).map_or("", |s| &s.name),
                new.name
            );
            group(&place, old, new, &mut lines);
            let members = before.members_of(&old.members).iter().zip(after.members_of(&new.members));
            members.for_each(|(old, new)| member(&place, old, new, &mut lines));
        }
    }
    diary.extend(lines.iter().map(|text| line(now, text)));
}

fn stage(old: &Stage, new: &Stage, lines: &mut Vec<String>) {
    let place = format!("stage {}", new.name);
    status(&place, &old.status, &new.status, lines);
    gates(&place, Timing::Before, &old.before_gates, &new.before_gates, lines);
    gates(&place, Timing::After, &old.after_gates, &new.after_gates, lines);
    if let (Some(old), Some(new)) = (&old.wait, &new.wait) {
        status(&format!("{place}: wait of {}s", new.seconds), &old.status, &new.status, lines);
    }
}

fn group(place: &str, old: &Group, new: &Group, lines: &mut Vec<String>) {
    let place = format!("group {place}");
    status(&place, &old.status, &new.status, lines);
    gates(&place, Timing::Before, &old.before_gates, &new.before_gates, lines);
    gates(&place, Timing::After, &old.after_gates, &new.after_gates, lines);
}

fn gates(place: &str, timing: Timing, old: &[Gate], new: &[Gate], lines: &mut Vec<String>) {
    for (index, (old, new)) in old.iter().zip(new).enumerate() {
        status(&format!("{place}: gate {timing:?} {index}"), &old.status, &new.status, lines);
    }
}

fn member(place: &str, old: &Member, new: &Member, lines: &mut Vec<String>) {
    if (old.state(), &old.message) == (new.state(), &new.message) {
        return;
    }
    let message = new.message.as_deref().map(|message| format!(" — {message}")).unwrap_or_default();
    lines.push(format!("  {place}/{}: {:?} → {:?}{message}", new.name, old.state(), new.state()));
}

fn status(what: &str, old: &Status, new: &Status, lines: &mut Vec<String>) {
    if (old.state, &old.error) == (new.state, &new.error) {
        return;
    }
    let error =
        new.error.as_ref().map(|error| format!(" — {}: {}", error.code, error.message)).unwrap_or_default();
    lines.push(format!("{what}: {:?} → {:?}{error}", old.state, new.state));
}
