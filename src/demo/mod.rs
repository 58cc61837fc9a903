//! The demonstration: the real service on a fast clock, a ready fleet, and one staged run, or a month of releases, to watch.
//!
//! It is a client of the API like any other: what it does, a reader can do with curl. No rule of the service lives here.
//! `scenario` says what is made, `progress` reads a run, `estimate` guesses when it ends, `terminal` and `plain` show it;
//! `month` watches runs that start by themselves.
//! To show something more, read it in `progress` and add its line to both.

mod client;
mod estimate;
mod month;
mod plain;
mod progress;
pub mod scenario;
mod terminal;

pub use client::DemoError;
pub use scenario::Scenario;

use std::io::{IsTerminal as _, Write as _};
use std::time::{Duration, Instant};

use axum::http::Method;
use chrono::TimeDelta;
use serde_json::json;
use tokio::net::TcpListener;
use tokio::time::{MissedTickBehavior, interval};

use self::client::Client;
use self::plain::Plain;
use self::progress::Progress;
use self::scenario::{API_VERSION, Story, fleet_id, run_path};
use self::terminal::Terminal;
use crate::api;
use crate::app::App;
use crate::domain::time::Timestamp;
use crate::domain::update_run::state::UpdateState;
use crate::lifecycle::{Shutdown, shutdown};

/// How often the run is looked at.
const LOOK: Duration = Duration::from_millis(150);

/// Serves `app` on `listener`, drives it through `scenario`, and ends it when the run is over; with `keep`, or a signal
/// before, when `signals` ask for it. The clock of `app` must be a manual one: it stands until the run starts.
///
/// # Errors
/// Where the service fails, or the run ends in another state than the scenario means it to.
pub async fn run(
    app: App,
    listener: TcpListener,
    scenario: Scenario,
    keep: bool,
    mut signals: Shutdown,
) -> Result<(), DemoError> {
    let base = format!("http://{}", listener.local_addr().map_err(DemoError::Output)?);
    let client = Client::new(api::router(app.api.clone()));
    let (end, until) = shutdown();
    let server = tokio::spawn(app.serve(listener, None, until));
    let story = scenario.story();
    let mut screen = Screen::new(std::io::stdout().is_terminal(), story.scale);
    let driven = async {
        seed(&client, &base, &story).await?;
        match scenario {
            Scenario::Autoupgrade => month::watch(&client, &story).await,
            _ => watch(&client, &story, &mut screen).await,
        }
    };
    let outcome = tokio::select! {
        outcome = driven => outcome,
        () = signals.requested() => Err(DemoError::Interrupted),
    };
    let closed = screen.close();
    if keep && matches!(outcome, Ok(()) | Err(DemoError::EndedOtherwise(_))) {
        show(&format!("\nThe service stays at {base} until Ctrl-C.\n"))?;
        signals.requested().await;
    }
    end.request();
    server
        .await
        .map_err(|error| DemoError::Service(error.to_string()))?
        .map_err(|error| DemoError::Service(error.to_string()))?;
    outcome.and(closed)
}

/// Makes what the scenario has, while the clock stands still.
async fn seed(client: &Client, base: &str, story: &Story) -> Result<(), DemoError> {
    show(&format!("fleetplane demo: {}\n\n", story.title))?;
    for call in &story.calls {
        if let Some(says) = &call.says {
            show(&format!("  {says}\n"))?;
        }
        client.send(call.method.clone(), &call.path, call.body.as_ref()).await?;
    }
    show(&follow_along(base, &story.watch))
}

/// Lets the clock go at the scenario's pace.
async fn set_going(client: &Client, story: &Story) -> Result<(), DemoError> {
    let second = TimeDelta::milliseconds((story.scale * 1000.0) as i64);
    show(&format!("A second here is {} there.\n\n", progress::in_words(second)))?;
    let pace = json!({ "mode": "scaled", "scale": story.scale });
    client.send(Method::PUT, "/simulator/clock", Some(&pace)).await?;
    Ok(())
}

/// Starts the run, and shows it until it is over.
async fn watch(client: &Client, story: &Story, screen: &mut Screen) -> Result<(), DemoError> {
    let begun = Instant::now();
    client.send(Method::POST, &run_path("/start"), None).await?;
    set_going(client, story).await?;
    let mut beat = interval(LOOK);
    beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        beat.tick().await;
        let progress: Progress = client.get(&story.watch).await?;
        let clock: Clock = client.get("/simulator/clock").await?;
        screen.draw(&progress, clock.now)?;
        let state = progress.state();
        if state.is_over() || state == UpdateState::Stopped {
            show(&progress.summary(begun.elapsed()))?;
            return if state == story.ends { Ok(()) } else { Err(DemoError::EndedOtherwise(state.name())) };
        }
    }
}

/// How to watch from another terminal.
fn follow_along(base: &str, watch: &str) -> String {
    let fleet = fleet_id("");
    format!(
        "\nFollow along from another terminal:\n\
         \x20 curl \"{base}{watch}\"\n\
         \x20 curl \"{base}{fleet}/members?{API_VERSION}\"\n\
         \x20 curl \"{base}/simulator/clock\"\n\n"
    )
}

/// What `GET /simulator/clock` answers, as far as it is shown.
#[derive(serde::Deserialize)]
struct Clock {
    now: Timestamp,
}

/// Where progress is shown.
enum Screen {
    Terminal(Terminal),
    Plain(Plain),
}

impl Screen {
    fn new(is_terminal: bool, scale: f64) -> Self {
        if is_terminal { Self::Terminal(Terminal::new(scale)) } else { Self::Plain(Plain::default()) }
    }

    fn draw(&mut self, progress: &Progress, now: Timestamp) -> Result<(), DemoError> {
        show(&match self {
            Self::Terminal(terminal) => terminal.frame(progress, now),
            Self::Plain(plain) => plain.news(progress, now),
        })
    }

    /// Leaves a terminal as it was found.
    fn close(&self) -> Result<(), DemoError> {
        match self {
            Self::Terminal(_) => show(terminal::SHOW_CURSOR),
            Self::Plain(_) => Ok(()),
        }
    }
}

/// Writes to standard output at once. A reader that is gone ends the demonstration, without a panic.
fn show(text: &str) -> Result<(), DemoError> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(DemoError::Output)
}
