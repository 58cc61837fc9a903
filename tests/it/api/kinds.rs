//! The types that users write, as tests go through them: where one is, what makes it, what must be there before.
//!
//! To add a type, add a variant; the compiler asks for the rest, and the tests of all types have it.

mod maximal;

use axum::http::Method;
use fleetplane::testing::app::{Backend, FLEET, GROUP, TestAnswer, TestApp};
use serde_json::{Value, json};

use super::CLUSTER;

/// A type under test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Fleet,
    Member,
    Strategy,
    Run,
    Profile,
    Namespace,
    Mesh,
    Cluster,
    Pool,
    Window,
    Snapshot,
}

/// Makes a test of each kind on each store of the functions named, which take both.
macro_rules! of_each_kind {
    ($($test:ident),* $(,)?) => {
        $(mod $test {
            use fleetplane::testing::app::Backend;

            use crate::api::kinds::Kind;

            #[rstest::rstest]
            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn of(
                #[values(
                    Kind::Fleet, Kind::Member, Kind::Strategy, Kind::Run, Kind::Profile, Kind::Namespace, Kind::Mesh,
                    Kind::Cluster, Kind::Pool, Kind::Window, Kind::Snapshot
                )]
                kind: Kind,
                #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
            ) {
                super::$test(kind, backend).await;
            }
        })*
    };
}
pub(super) use of_each_kind;

impl Kind {
    pub const ALL: [Self; 11] = [
        Self::Fleet,
        Self::Member,
        Self::Strategy,
        Self::Run,
        Self::Profile,
        Self::Namespace,
        Self::Mesh,
        Self::Cluster,
        Self::Pool,
        Self::Window,
        Self::Snapshot,
    ];

    /// The kind that a path of the route table is one of.
    pub fn of(route: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| super::is_on(&kind.path(), route))
    }

    /// The one that tests write.
    pub fn path(self) -> String {
        match self {
            Self::Fleet => FLEET.to_owned(),
            Self::Member => format!("{FLEET}/members/m1"),
            Self::Strategy => format!("{FLEET}/updateStrategies/s1"),
            Self::Run => format!("{FLEET}/updateRuns/r1"),
            Self::Profile => format!("{FLEET}/autoUpgradeProfiles/p1"),
            Self::Namespace => format!("{FLEET}/managedNamespaces/n1"),
            Self::Mesh => format!("{FLEET}/clusterMeshProfiles/mesh1"),
            Self::Cluster => CLUSTER.to_owned(),
            Self::Pool => format!("{CLUSTER}/agentPools/extra"),
            Self::Window => format!("{CLUSTER}/maintenanceConfigurations/default"),
            Self::Snapshot => format!("{GROUP}/providers/Microsoft.ContainerService/snapshots/s1"),
        }
    }

    /// A body that makes it, of what every api-version knows.
    pub fn body(self) -> Value {
        match self {
            Self::Fleet => super::fleet_body(),
            Self::Member => super::member_body("connected"),
            Self::Strategy => super::strategy_body(),
            Self::Run => super::run_body(),
            Self::Profile => json!({ "properties": { "channel": "Rapid" } }),
            Self::Namespace => super::namespace_body(),
            Self::Mesh => super::mesh_body("tier=web"),
            Self::Cluster => super::cluster_body(),
            Self::Pool => json!({ "properties": { "count": 1 } }),
            Self::Window => json!({ "properties": { "timeInWeek": [] } }),
            Self::Snapshot => super::snapshot_body(),
        }
    }

    /// What a PATCH that succeeds answers, where the type has one.
    pub fn patched(self) -> Option<u16> {
        match self {
            Self::Fleet | Self::Member | Self::Cluster | Self::Snapshot => Some(200),
            Self::Namespace => Some(202),
            Self::Strategy | Self::Run | Self::Profile | Self::Mesh | Self::Pool | Self::Window => None,
        }
    }

    /// What a DELETE that succeeds answers.
    pub fn deleted(self) -> u16 {
        match self {
            Self::Fleet | Self::Member | Self::Namespace | Self::Cluster | Self::Pool => 202,
            Self::Profile | Self::Mesh => 204,
            Self::Strategy | Self::Run | Self::Window | Self::Snapshot => 200,
        }
    }

    /// Whether it is one of AKS's types rather than the fleet's.
    pub fn is_of_aks(self) -> bool {
        matches!(self, Self::Cluster | Self::Pool | Self::Window | Self::Snapshot)
    }

    /// The tag in a body, as the header has it: AKS types write it without quotes, pools among their properties.
    pub fn tag_in(self, body: &Value) -> String {
        let tag = if self == Self::Pool { &body["properties"]["eTag"] } else { &body["eTag"] };
        let tag = tag.as_str().unwrap();
        if self.is_of_aks() { format!("\"{tag}\"") } else { tag.to_owned() }
    }

    /// A service in which it can be made, whose operations take no time.
    pub async fn app(self, backend: Backend) -> TestApp {
        let app = TestApp::new(backend).await;
        self.make_room(&app).await;
        app
    }

    /// Makes what must be there before it.
    pub async fn make_room(self, app: &TestApp) {
        match self {
            Self::Fleet | Self::Cluster => {}
            Self::Member | Self::Strategy | Self::Run | Self::Profile | Self::Mesh => {
                super::with_fleet(app).await;
            }
            Self::Namespace => super::with_hub(app).await,
            Self::Pool | Self::Window | Self::Snapshot => {
                let _ = app.put(CLUSTER, super::cluster_body()).await.expect(201);
            }
        }
    }

    /// Sends its body under a header.
    pub async fn send(self, app: &TestApp, method: Method, header: (&str, &str)) -> TestAnswer {
        let body = if method == Method::PATCH { json!({}) } else { self.body() };
        app.request(method, &self.path()).header(header.0, header.1).json(body).send().await
    }
}
