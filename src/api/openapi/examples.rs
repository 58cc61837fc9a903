//! The recorded example of each operation: `openapi/examples.json`, which a test plays.

use std::sync::LazyLock;

use serde_json::{Map, Value};

use crate::api::extract::QueryParameters;
use crate::api::route::Route;

static EXAMPLES: LazyLock<Map<String, Value>> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../../../openapi/examples.json")).expect("the examples are JSON")
});

/// One request of an operation, and its answer.
pub(super) struct Example {
    recorded: &'static Value,
    /// The path of its route.
    path: &'static str,
}

impl Example {
    /// That of `route`; a new operation has none until its scenario has been recorded.
    pub(super) fn of(route: &Route) -> Option<Self> {
        EXAMPLES.get(route.operation.id).map(|recorded| Self { recorded, path: route.path })
    }

    /// The body that is sent.
    pub(super) fn sent(&self) -> Option<Value> {
        self.recorded["request"].get("body").cloned()
    }

    /// The body that is answered, where the answer has this status.
    pub(super) fn answered(&self, status: u16) -> Option<Value> {
        let response = &self.recorded["response"];
        response.get("body").filter(|_| response["status"] == status).cloned()
    }

    /// What stands in the path in the place of `name`.
    pub(super) fn in_path(&self, name: &str) -> Option<&'static str> {
        let path = self.url().split('?').next()?;
        let mut places = self.path.split('/').zip(path.split('/'));
        places.find(|(place, _)| place.trim_matches(['{', '}']) == name).map(|(_, value)| value)
    }

    /// The query parameter `name`.
    pub(super) fn in_query(&self, name: &str) -> Option<String> {
        let query = QueryParameters::parse(self.url().split_once('?').map(|(_, query)| query));
        query.get(name).map(str::to_owned)
    }

    fn url(&self) -> &'static str {
        self.recorded["request"]["url"].as_str().unwrap_or_default()
    }
}
