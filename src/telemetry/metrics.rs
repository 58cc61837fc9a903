//! Every metric of the service: its name, its labels, its meaning.
//!
//! What may not live here: reading the store; who knows a number records it.
//!
//! To add a metric: a field, its registration in [`Metrics::new`] and a recording method. Names are
//! `fleetplane_THING_UNIT` (the encoder appends `_total` to counters); a label takes values from a small fixed set only.

use std::time::Duration;

use prometheus_client::{
    encoding::{EncodeLabelSet, text::encode},
    metrics::{counter::Counter, family::Family, gauge::Gauge, histogram::Histogram},
    registry::Registry,
};

/// Upper bounds of request latency, in seconds.
const REQUEST_SECONDS: [f64; 11] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0];
/// Upper bounds of a tick's duration, in seconds.
const TICK_SECONDS: [f64; 9] = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1.0, 5.0, 10.0];

/// The registry and a handle on each metric; recording needs no lock of its own and never fails.
pub struct Metrics {
    registry: Registry,
    requests: Family<RequestLabels, Counter>,
    request_seconds: Family<RequestLabels, Histogram>,
    runs: Family<StateLabel, Gauge>,
    members_started: Counter,
    members_ended: Family<StateLabel, Counter>,
    tick_seconds: Family<TaskLabel, Histogram>,
    leases: Gauge,
    pool_size: Gauge,
    pool_idle: Gauge,
}

/// A request as the metrics see it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RequestLabels {
    route: String,
    method: &'static str,
    code: u16,
}

/// A run's or a member's state.
#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct StateLabel {
    state: &'static str,
}

/// A task of the scheduler.
#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct TaskLabel {
    task: &'static str,
}

impl Metrics {
    /// All metrics, registered, at zero.
    #[must_use]
    pub fn new() -> Self {
        let mut metrics = Self {
            registry: Registry::with_prefix("fleetplane"),
            requests: Family::default(),
            request_seconds: Family::new_with_constructor(|| Histogram::new(REQUEST_SECONDS)),
            runs: Family::default(),
            members_started: Counter::default(),
            members_ended: Family::default(),
            tick_seconds: Family::new_with_constructor(|| Histogram::new(TICK_SECONDS)),
            leases: Gauge::default(),
            pool_size: Gauge::default(),
            pool_idle: Gauge::default(),
        };
        metrics.register();
        metrics
    }

    /// Gives each metric its name and help text.
    fn register(&mut self) {
        let registry = &mut self.registry;
        registry.register("http_requests", "Requests answered", self.requests.clone());
        registry.register(
            "http_request_duration_seconds",
            "Time from a request's head to its answer's head",
            self.request_seconds.clone(),
        );
        registry.register("update_runs", "Update runs by state", self.runs.clone());
        registry.register("members_started", "Member upgrades started", self.members_started.clone());
        registry.register(
            "members_ended",
            "Members of runs that ended, by state",
            self.members_ended.clone(),
        );
        registry.register(
            "scheduler_tick_duration_seconds",
            "Time one pass of a scheduler task took",
            self.tick_seconds.clone(),
        );
        registry.register("scheduler_leases", "Leases this process holds", self.leases.clone());
        registry.register("database_pool_connections", "Open database connections", self.pool_size.clone());
        registry.register(
            "database_pool_idle_connections",
            "Open database connections nobody uses",
            self.pool_idle.clone(),
        );
    }

    /// A request was answered. `route` is the route's template, never the path (whose names are unbounded); `None` when
    /// no route matched.
    pub fn request_answered(&self, route: Option<&str>, method: &str, code: u16, took: Duration) {
        let labels = RequestLabels {
            route: route.unwrap_or("unmatched").to_owned(),
            method: known_method(method),
            code,
        };
        self.requests.get_or_create(&labels).inc();
        self.request_seconds.get_or_create(&labels).observe(took.as_secs_f64());
    }

    /// There are `count` runs in `state` now; states not reported keep their last number.
    pub fn set_runs(&self, state: &'static str, count: u64) {
        self.runs.get_or_create(&StateLabel { state }).set(saturating(count));
    }

    /// A member's upgrade was started.
    pub fn member_started(&self) {
        self.members_started.inc();
    }

    /// A member ended in `state` (Completed, Failed, Skipped).
    pub fn member_ended(&self, state: &'static str) {
        self.members_ended.get_or_create(&StateLabel { state }).inc();
    }

    /// A pass of the scheduler's `task` took this long.
    pub fn ticked(&self, task: &'static str, took: Duration) {
        self.tick_seconds.get_or_create(&TaskLabel { task }).observe(took.as_secs_f64());
    }

    /// This process holds `count` leases now.
    pub fn set_leases(&self, count: u64) {
        self.leases.set(saturating(count));
    }

    /// The pool has `size` open connections now, `idle` of them unused.
    pub fn set_pool(&self, size: u32, idle: usize) {
        self.pool_size.set(i64::from(size));
        self.pool_idle.set(i64::try_from(idle).unwrap_or(i64::MAX));
    }

    /// Everything in the OpenMetrics text format (`application/openmetrics-text; version=1.0.0; charset=utf-8`).
    #[must_use]
    pub fn render(&self) -> String {
        let mut text = String::new();
        encode(&mut text, &self.registry).expect("writing to a String never fails");
        text
    }
}

impl Default for Metrics {
    fn default() -> Self {
        Self::new()
    }
}

/// The method as a label: those HTTP defines for this API, else `other`, for clients may invent any.
fn known_method(method: &str) -> &'static str {
    ["GET", "HEAD", "PUT", "PATCH", "POST", "DELETE", "OPTIONS"]
        .into_iter()
        .find(|known| *known == method)
        .unwrap_or("other")
}

/// Gauges are signed; no count here comes near the limit.
fn saturating(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn has_line(metrics: &Metrics, line: &str) {
        let text = metrics.render();
        assert!(text.lines().any(|found| found == line), "{line} is not in\n{text}");
    }

    #[test]
    fn requests_are_counted_and_timed_by_route_method_and_code() {
        let metrics = Metrics::new();
        metrics.request_answered(Some("/fleets/{fleet}"), "GET", 200, Duration::from_millis(3));
        metrics.request_answered(Some("/fleets/{fleet}"), "GET", 200, Duration::from_millis(30));
        let labels = r#"{route="/fleets/{fleet}",method="GET",code="200"}"#;
        has_line(&metrics, &format!("fleetplane_http_requests_total{labels} 2"));
        has_line(&metrics, &format!("fleetplane_http_request_duration_seconds_count{labels} 2"));
        let bucket = labels.replacen('{', r#"{le="0.005","#, 1);
        has_line(&metrics, &format!("fleetplane_http_request_duration_seconds_bucket{bucket} 1"));
    }

    #[test]
    fn unknown_routes_and_methods_share_one_label_each() {
        let metrics = Metrics::new();
        metrics.request_answered(None, "BREW", 404, Duration::ZERO);
        has_line(
            &metrics,
            r#"fleetplane_http_requests_total{route="unmatched",method="other",code="404"} 1"#,
        );
    }

    #[test]
    fn gauges_show_the_last_number() {
        let metrics = Metrics::new();
        metrics.set_runs("Running", 3);
        metrics.set_runs("Running", 2);
        metrics.set_leases(2);
        metrics.set_pool(8, 5);
        has_line(&metrics, r#"fleetplane_update_runs{state="Running"} 2"#);
        has_line(&metrics, "fleetplane_scheduler_leases 2");
        has_line(&metrics, "fleetplane_database_pool_connections 8");
        has_line(&metrics, "fleetplane_database_pool_idle_connections 5");
    }

    #[test]
    fn members_and_ticks_add_up() {
        let metrics = Metrics::new();
        metrics.member_started();
        metrics.member_started();
        metrics.member_ended("Completed");
        metrics.ticked("update_runs", Duration::from_millis(2));
        has_line(&metrics, "fleetplane_members_started_total 2");
        has_line(&metrics, r#"fleetplane_members_ended_total{state="Completed"} 1"#);
        has_line(&metrics, r#"fleetplane_scheduler_tick_duration_seconds_count{task="update_runs"} 1"#);
    }
}
