//! Progress on a terminal: one picture, drawn anew in its place.

use chrono::TimeDelta;

use super::estimate::{remaining, to_go};
use super::progress::{Group, MANY, Progress, Stage, Wait, in_words};
use crate::domain::time::Timestamp;
use crate::domain::update_run::state::UpdateState;

/// Undoes what the first frame does to the cursor.
pub(super) const SHOW_CURSOR: &str = "\x1b[?25h";
const HIDE_CURSOR: &str = "\x1b[?25l";
/// From the cursor to the end of the line, and of the screen.
const CLEAR_LINE: &str = "\x1b[K";
const CLEAR_BELOW: &str = "\x1b[J";

const BOLD: &str = "\x1b[1m";
const DIM: &str = "\x1b[2m";
const RED: &str = "\x1b[31m";
const GREEN: &str = "\x1b[32m";
const YELLOW: &str = "\x1b[33m";
const RESET: &str = "\x1b[0m";

/// Cells of a stage's bar.
const BAR: usize = 24;

/// The picture that is on the screen.
#[derive(Debug)]
pub(super) struct Terminal {
    scale: f64,
    lines: usize,
}

impl Terminal {
    /// An empty screen for a clock that goes by so many seconds a second.
    pub(super) fn new(scale: f64) -> Self {
        Self { scale, lines: 0 }
    }

    /// What puts the new picture over the one before.
    pub(super) fn frame(&mut self, progress: &Progress, now: Timestamp) -> String {
        let lines = picture(progress, now, self.scale);
        let up = if self.lines > 0 { format!("\x1b[{}A", self.lines) } else { HIDE_CURSOR.to_owned() };
        self.lines = lines.len();
        let body: String = lines.iter().map(|line| format!("{line}{CLEAR_LINE}\n")).collect();
        format!("{up}{body}{CLEAR_BELOW}")
    }
}

fn picture(progress: &Progress, now: Timestamp, scale: f64) -> Vec<String> {
    let mut lines = vec![headline(progress, now, scale), String::new()];
    for stage in progress.stages() {
        lines.push(stage_line(stage));
        lines.extend(stage.groups.iter().map(group_line));
        lines.extend(stage.after_stage_wait_status.as_ref().map(|wait| wait_line(wait, now)));
    }
    lines
}

/// `2026-12-01 00:14   14 min into the run   about 1 h 10 min to go (17 s here)`.
fn headline(progress: &Progress, now: Timestamp, scale: f64) -> String {
    let now = progress.status().completed_time.unwrap_or(now);
    let into = now - progress.status().start_time.unwrap_or(now);
    let clock = now.format("%Y-%m-%d %H:%M");
    let to_go = if progress.state().is_over() {
        progress.state().name().to_owned()
    } else {
        let here = remaining(progress, now).as_seconds_f64() / scale;
        format!("{} to go ({here:.0} s here)", to_go(progress, now))
    };
    format!("{BOLD}{clock}{RESET}   {} into the run   {to_go}", in_words(into))
}

/// `◐ early     Running      3/8  ━━━━━━━━━────────────`.
fn stage_line(stage: &Stage) -> String {
    let total = stage.members().count();
    let over = stage.members().filter(|member| member.status.state.is_over()).count();
    let full = (over * BAR).checked_div(total).unwrap_or(BAR);
    let (done, open) = ("━".repeat(full), "─".repeat(BAR - full));
    let (state, name) = (stage.status.state, &stage.name);
    let (colour, sign) = (colour(state), sign(state));
    format!(
        "{colour}{sign}{RESET} {BOLD}{name:<9}{RESET} {colour}{:<11}{RESET} {over:>2}/{total:<2} \
         {GREEN}{done}{RESET}{DIM}{open}{RESET}",
        state.name()
    )
}

/// `    prod-westeurope      ✔ prod-0  ◐ prod-4  · prod-8`; for many members `    prod  ✔ 40  ◐ 5  · 51`.
fn group_line(group: &Group) -> String {
    if group.members.len() > MANY {
        return format!("    {DIM}{:<20}{RESET} {}", group.name, counts(group));
    }
    let members = group.members.iter().map(|member| {
        let state = member.status.state;
        format!("{}{} {}{RESET}", colour(state), sign(state), member.name)
    });
    let members: Vec<String> = members.collect();
    format!("    {DIM}{:<20}{RESET} {}", group.name, members.join("  "))
}

/// How many members are in each state that any is in.
fn counts(group: &Group) -> String {
    let counts = UpdateState::ALL.into_iter().rev().filter_map(|state| {
        let count = group.members.iter().filter(|member| member.status.state == state).count();
        (count > 0).then(|| format!("{}{} {count}{RESET}", colour(state), sign(state)))
    });
    counts.collect::<Vec<_>>().join("  ")
}

/// `    wait 15 min          9 min left`.
fn wait_line(wait: &Wait, now: Timestamp) -> String {
    let whole = TimeDelta::seconds(wait.wait_duration_in_seconds);
    let state = wait.status.state;
    let says = match (state, wait.status.start_time) {
        (UpdateState::Running, Some(start)) => {
            format!("{} left", in_words((start + whole - now).max(TimeDelta::zero())))
        }
        _ => state.name().to_owned(),
    };
    let name = format!("wait {}", in_words(whole));
    format!("    {DIM}{name:<20}{RESET} {}{} {says}{RESET}", colour(state), sign(state))
}

fn colour(state: UpdateState) -> &'static str {
    match state {
        UpdateState::Completed => GREEN,
        UpdateState::Failed | UpdateState::Stopped => RED,
        UpdateState::Running | UpdateState::Pending | UpdateState::Stopping => YELLOW,
        UpdateState::NotStarted | UpdateState::Skipped => DIM,
    }
}

fn sign(state: UpdateState) -> char {
    match state {
        UpdateState::NotStarted => '·',
        UpdateState::Running => '◐',
        UpdateState::Pending => '◌',
        UpdateState::Stopping | UpdateState::Stopped => '■',
        UpdateState::Skipped => '↷',
        UpdateState::Failed => '✘',
        UpdateState::Completed => '✔',
    }
}

#[cfg(test)]
mod tests {
    use super::super::progress::tests::{in_prod, minute, waiting};
    use super::*;

    /// Without colours.
    fn seen(lines: &[String]) -> String {
        let colours = [BOLD, DIM, RED, GREEN, YELLOW, RESET];
        colours.iter().fold(lines.join("\n"), |text, colour| text.replace(colour, ""))
    }

    #[test]
    fn a_picture_shows_stages_groups_members_and_waits() {
        insta::assert_snapshot!(seen(&picture(&waiting(), minute(20), 240.0)));
        insta::assert_snapshot!(seen(&picture(&in_prod(), minute(50), 240.0)));
    }

    #[test]
    fn a_frame_begins_where_the_one_before_began() {
        let mut terminal = Terminal::new(240.0);
        assert!(terminal.frame(&waiting(), minute(20)).starts_with(HIDE_CURSOR));
        let height = picture(&waiting(), minute(20), 240.0).len();
        assert!(terminal.frame(&waiting(), minute(21)).starts_with(&format!("\x1b[{height}A")));
    }
}
