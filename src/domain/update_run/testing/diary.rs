//! What happened in a run, for people: one line per change, and a summary of where it stands.

use super::Event;
use crate::domain::time::{Timestamp, to_rfc3339};
use crate::domain::update_run::skip::SkipTarget;
use crate::domain::update_run::state::{Gate, Group, Member, Run, Stage, Status, Timing};

/// A line with its time.
pub fn line(now: Timestamp, text: &str) -> String {
    format!("{} {text}", now.format("%a %d %H:%M"))
}

/// The line of an event.
pub fn event(now: Timestamp, event: &Event) -> String {
    line(now, &format!("> {}", words(event)))
}

/// An event in words.
pub fn words(event: &Event) -> String {
    match event {
        Event::Start => "start".to_owned(),
        Event::Stop => "stop".to_owned(),
        Event::Skip(targets) => {
            let target = |target: &SkipTarget| format!("{:?} {}", target.kind, target.name);
            format!("skip {}", targets.iter().map(target).collect::<Vec<_>>().join(", "))
        }
        Event::Approve(usize::MAX) => "approve all that is Pending".to_owned(),
        Event::Approve(gates) => format!("approve {gates}"),
        Event::Power(name, power) => format!("cluster {name} is {power:?}"),
        Event::Delete(name) => format!("cluster {name} is deleted"),
        Event::Leave(name) => format!("member {name} leaves"),
        Event::Abort(name) => format!("operations on {name} are aborted"),
        Event::Busy(name, Some(span)) => format!("{name} is busy for {} min", span.num_minutes()),
        Event::Busy(name, None) => format!("{name} is busy"),
        Event::Window(name, Some(window)) => {
            format!("{name} has a window from {} for {} h", window.start_time, window.duration_hours)
        }
        Event::Window(name, None) => format!("{name} has no window"),
        Event::Publish(items) => format!("{} published", items.len()),
    }
}

/// The lines of what differs between two states of a run, from the run down to gates and waits.
pub fn changes(now: Timestamp, before: &Run, after: &Run, diary: &mut Vec<String>) {
    let mut lines = Vec::new();
    if (before.status.state, &before.status.error) != (after.status.state, &after.status.error) {
        let error = after.status.error.as_ref();
        let error = error.map(|error| format!(" — {}: {}", error.code, error.message)).unwrap_or_default();
        lines.push(format!("run: {:?} → {:?}{error}", before.status.state, after.status.state));
    }
    for (old, new) in before.stages.iter().zip(&after.stages) {
        stage(old, new, &mut lines);
        for (old, group_now) in old.groups.iter().zip(&new.groups) {
            let place = format!("{}/{}", new.name, group_now.name);
            group(&place, old, group_now, &mut lines);
            let members = before.members_of(&old.members).iter().zip(after.members_of(&group_now.members));
            members.for_each(|(old, new)| member(old, new, &mut lines));
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
        status(&format!("{place}: wait of {} s", new.seconds), &old.status, &new.status, lines);
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
        status(&format!("{place}: {timing:?} gate {index}"), &old.status, &new.status, lines);
    }
}

fn member(old: &Member, new: &Member, lines: &mut Vec<String>) {
    if (old.state(), &old.message) == (new.state(), &new.message) {
        return;
    }
    let message = new.message.as_deref().map(|message| format!(" — {message}")).unwrap_or_default();
    lines.push(format!("  {}: {:?} → {:?}{message}", new.name, old.state(), new.state()));
}

/// The code alone: the run's line has the words.
fn status(what: &str, old: &Status, new: &Status, lines: &mut Vec<String>) {
    let code = |status: &Status| status.error.as_ref().map(|error| error.code.clone());
    if (old.state, code(old)) == (new.state, code(new)) {
        return;
    }
    let error = code(new).map(|code| format!(" — {code}")).unwrap_or_default();
    lines.push(format!("{what}: {:?} → {:?}{error}", old.state, new.state));
}

/// Where a run stands: every level with its state, times, limits and failures.
pub fn summary(run: &Run) -> Vec<String> {
    let everybody = 0..run.members.len() as u32;
    let mut lines = vec![format!("run {}, {} failed", outline(&run.status), run.failures(&everybody))];
    for stage in &run.stages {
        lines.push(format!(
            "  stage {} {}, at once {}, failed {} of {} allowed",
            stage.name,
            outline(&stage.status),
            stage.max_concurrency,
            run.failures(&stage.members()),
            stage.max_allowed_failures,
        ));
        for group in &stage.groups {
            lines.push(format!(
                "    group {} {}, at once {}, failed {} of {} allowed",
                group.name,
                outline(&group.status),
                group.max_concurrency,
                run.failures(&group.members),
                group.max_allowed_failures,
            ));
            let members = run.members_of(&group.members).iter();
            lines.extend(members.map(|member| format!("      {} {}", member.name, outline(&member.status))));
        }
    }
    lines
}

fn outline(status: &Status) -> String {
    let time = |time: Option<Timestamp>| time.map_or("-".to_owned(), to_rfc3339);
    match (status.start_time, status.completed_time) {
        (None, None) => format!("{:?}", status.state),
        (start, end) => format!("{:?} ({} to {})", status.state, time(start), time(end)),
    }
}
