//! The demonstration: the real service on a fast clock, a seeded fleet, and one staged run, or a month of releases, to watch.
//!
//! It is a client of the API like any other: what it does, a reader can do with curl. No rule of the service lives here.
//! `seed` says what is made, `progress` reads a run, `estimate` guesses when it ends, `terminal` and `plain` show it; `month`
//! is the other scenario.
//! To show something more, read it in `progress` and add its line to both.

mod client;
mod estimate;
mod month;
mod plain;
mod progress;
mod seed;
mod terminal;

pub use client::DemoError;

use std::io::{IsTerminal as _, Write as _};
use std::time::{Duration, Instant};

use tokio::net::TcpListener;
use tokio::time::{MissedTickBehavior, interval};

use self::client::Client;
use self::plain::Plain;
use self::progress::Progress;
use self::terminal::Terminal;
use crate::api;
use crate::app::App;
use crate::domain::time::Timestamp;
use crate::domain::update_run::state::UpdateState;
use crate::lifecycle::{Shutdown, shutdown};

/// What is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Scenario {
    /// One staged run over a fleet.
    #[default]
    Rollout,
    /// A month of releases, each rolled out by an auto-upgrade profile.
    Autoupgrade,
}

impl Scenario {
    /// Simulated seconds a second.
    pub fn scale(self) -> f64 {
        match self {
            Self::Rollout => seed::SCALE,
            Self::Autoupgrade => month::SCALE,
        }
    }
}

/// How often the run is looked at.
const LOOK: Duration = Duration::from_millis(150);

/// Serves `app` on `listener`, drives it, and ends it when the run is over; with `keep`, or a signal before, when
/// `signals` ask for it.
///
/// # Errors
/// Where the service fails, or the run ends in anything but Completed.
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
    let server = tokio::spawn(app.serve(listener, until));
    let mut screen = Screen::new(std::io::stdout().is_terminal());
    let driven = async {
        match scenario {
            Scenario::Rollout => drive(&client, &base, &mut screen).await,
            Scenario::Autoupgrade => month::drive(&client, &base).await,
        }
    };
    let outcome = tokio::select! {
        outcome = driven => outcome,
        () = signals.requested() => Err(DemoError::Interrupted),
    };
    let closed = screen.close();
    if keep && matches!(outcome, Ok(()) | Err(DemoError::NotCompleted(_))) {
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

/// Seeds, starts the run, and shows it until it is over.
async fn drive(client: &Client, base: &str, screen: &mut Screen) -> Result<(), DemoError> {
    show(&seed::title())?;
    for step in seed::steps() {
        client.send(step.method, &step.path, step.body.as_ref()).await?;
        show(&format!("  {}\n", step.says))?;
    }
    show(&seed::follow_along(base))?;
    let begun = Instant::now();
    client.send(axum::http::Method::POST, &seed::run_path("/start"), None).await?;
    let mut beat = interval(LOOK);
    beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        beat.tick().await;
        let progress: Progress = client.get(&seed::run_path("")).await?;
        let clock: Clock = client.get("/simulator/clock").await?;
        screen.draw(&progress, clock.now)?;
        match progress.state() {
            UpdateState::Completed => return show(&progress.summary(begun.elapsed())),
            UpdateState::Failed | UpdateState::Stopped | UpdateState::Skipped => {
                show(&progress.summary(begun.elapsed()))?;
                return Err(DemoError::NotCompleted(progress.state().name()));
            }
            _ => {}
        }
    }
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
    fn new(is_terminal: bool) -> Self {
        if is_terminal { Self::Terminal(Terminal::default()) } else { Self::Plain(Plain::default()) }
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
