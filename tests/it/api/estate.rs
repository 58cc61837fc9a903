//! Everything that the routes are about, so that whatever the route table has can be asked, and succeeds.
//!
//! To add an operation, give what its path names a name in [`Estate::name`], its body a place in [`Estate::body`], and
//! what must be so before to [`Estate::prepare`].

use axum::http::Method;
use fleetplane::api::route::Route;
use fleetplane::service::{OperationDurations, Settings};
use fleetplane::testing::app::{Backend, FLEET, TestAnswer, TestApp};
use serde_json::{Value, json};

use super::CLUSTER;
use super::kinds::Kind;

/// The run that waits at a gate; that of the kind has not started.
const WAITING: &str = "waiting";

/// One of everything.
pub struct Estate {
    pub app: TestApp,
    gate: String,
    operation: String,
}

/// What is asked.
pub struct Asked {
    pub path: String,
    pub body: Option<Value>,
}

/// Writes without preconditions: the table of preconditions leaves resource groups out, and what is no resource.
pub fn has_no_etag(route: &Route) -> bool {
    route.path.ends_with("/resourceGroups/{resourceGroupName}") || route.operation.id == "Providers_Register"
}

/// A POST that changes nothing.
pub fn is_read_by_post(route: &Route) -> bool {
    route.operation.id.contains("_List") || route.operation.id == "Providers_Register"
}

/// Whether the path ends with a collection, or something else that is named by its parent alone.
pub fn is_list(route: &Route) -> bool {
    route.method == Method::GET && !route.path.ends_with('}')
}

/// The body with which one of the kind is put again. A PUT of a cluster removes no pool.
pub fn put_body(kind: Kind) -> Value {
    let mut body = kind.body();
    if kind == Kind::Cluster {
        let pools = body["properties"]["agentPoolProfiles"].as_array_mut().expect("it has pools");
        pools.push(json!({ "name": "extra" }));
    }
    body
}

/// Every action, and the approval of a gate.
pub fn is_action(route: &Route) -> bool {
    match route.method {
        Method::POST => route.is_arm() && !is_read_by_post(route),
        Method::PATCH => route.path.ends_with("/gates/{gateName}"),
        _ => false,
    }
}

/// The path of what is acted on.
pub fn acted_on(action: &Route, path: &str) -> String {
    let around = || path.rsplit_once('/').map(|(around, _)| around);
    around().filter(|_| action.method == Method::POST).unwrap_or(path).to_owned()
}

impl Estate {
    pub async fn new(backend: Backend) -> Self {
        let app = TestApp::new(backend).await;
        super::with_hub(&app).await;
        for kind in Kind::ALL.into_iter().filter(|kind| *kind != Kind::Fleet) {
            let _ = app.put(&kind.path(), kind.body()).await.expect(201);
        }
        let mut body = super::run_body();
        let gate = json!([{ "displayName": "board", "type": "Approval" }]);
        body["properties"]["strategy"] = json!({ "stages": [{ "name": "one", "memberSelector": { "byLabel": "" }, "beforeGates": gate }] });
        let run = format!("{FLEET}/updateRuns/{WAITING}");
        let _ = app.put(&run, body).await.expect(201);
        let started = app.post(&format!("{run}/start")).await.expect(200).json();
        let gate = &started["properties"]["status"]["stages"][0]["beforeGates"][0]["gateId"];
        let gate = gate.as_str().and_then(|id| id.rsplit('/').next()).expect("the run waits").to_owned();
        let written = app.put(FLEET, super::fleet_body()).await.expect(200);
        let polled = written.header("azure-asyncoperation").split('?').next().unwrap_or_default();
        let operation = polled.rsplit('/').next().expect("it is polled").to_owned();
        Self { app, gate, operation }
    }

    /// The same on a service whose operations take time.
    pub async fn slow(self) -> Self {
        let slow = |settings: &mut Settings| settings.operation_durations = OperationDurations::Simulated;
        Self { app: self.app.restarted_with(slow).await, ..self }
    }

    /// What stands in a place of a route's path.
    fn name(&self, route: &Route, place: &str) -> String {
        let of_kind = |kind: Kind| kind.path().rsplit('/').next().unwrap_or_default().to_owned();
        let fixed = match place {
            "{fleetName}" => return of_kind(Kind::Fleet),
            "{fleetMemberName}" => return of_kind(Kind::Member),
            "{updateStrategyName}" => return of_kind(Kind::Strategy),
            "{autoUpgradeProfileName}" => return of_kind(Kind::Profile),
            "{managedNamespaceName}" => return of_kind(Kind::Namespace),
            "{clusterMeshProfileName}" => return of_kind(Kind::Mesh),
            "{resourceName}" => return of_kind(Kind::Cluster),
            "{agentPoolName}" => return of_kind(Kind::Pool),
            "{configName}" => return of_kind(Kind::Window),
            "{snapshotName}" => return of_kind(Kind::Snapshot),
            "{updateRunName}" if route.operation.id == "UpdateRuns_Stop" => WAITING,
            "{updateRunName}" => return of_kind(Kind::Run),
            "{gateName}" => &self.gate,
            "{operationId}" => &self.operation,
            "{subscriptionId}" => "11111111-2222-3333-4444-555555555555",
            "{resourceGroupName}" => "rg",
            "{profileName}" => "default",
            "{location}" => "westeurope",
            other => panic!("nothing of the estate is named {other}, of {}", route.operation.id),
        };
        fixed.to_owned()
    }

    /// The body with which the operation succeeds.
    fn body(route: &Route) -> Option<Value> {
        match (&route.method, route.operation.id) {
            (&Method::GET | &Method::HEAD | &Method::DELETE, _) => None,
            (_, "ResourceGroups_CreateOrUpdate") => Some(json!({ "location": "westeurope" })),
            (_, "Gates_Update") => Some(json!({ "properties": { "state": "Completed" } })),
            (_, "UpdateRuns_Skip") => Some(json!({ "targets": [{ "type": "Stage", "name": "default" }] })),
            (&Method::PATCH, _) => Some(json!({})),
            (&Method::PUT, id) => {
                let kind = Kind::of(route.path);
                Some(put_body(kind.unwrap_or_else(|| panic!("{id} writes no kind that is known"))))
            }
            _ => None,
        }
    }

    /// The route's path with a name in every place but `missing`, where there is one that nothing has.
    fn path(&self, route: &Route, missing: Option<&str>) -> String {
        let fill = |place: &str| match place {
            place if Some(place) == missing => "nobody".to_owned(),
            place if place.starts_with('{') => self.name(route, place),
            fixed => fixed.to_owned(),
        };
        route.path.split('/').map(fill).collect::<Vec<_>>().join("/")
    }

    /// The request that succeeds, once the estate is prepared for it.
    pub fn asked(&self, route: &Route) -> Asked {
        Asked { path: self.path(route, None), body: Self::body(route) }
    }

    /// The path with a name in the place of `missing` that nothing has.
    pub fn without(&self, route: &Route, missing: &str) -> String {
        self.path(route, Some(missing))
    }

    /// The path of the route's resource, had it another name.
    pub fn missing(&self, route: &Route) -> String {
        let mut places = route.path.split('/').filter(|segment| segment.starts_with('{'));
        self.without(route, places.next_back().unwrap_or_default())
    }

    /// Makes what the operation needs: something under way, for what aborts it.
    pub async fn prepare(&self, route: &Route) {
        if !route.operation.id.ends_with("_AbortLatestOperation") {
            return;
        }
        let behavior = json!({ "hang": true });
        let _ = self.app.put(&format!("/simulator/behaviors{CLUSTER}"), behavior).await.expect(200);
        let image = json!({ "kind": "NodeImage", "version": "AKSUbuntu-2204gen2containerd-202612.01.0" });
        let _ = self.app.request(Method::POST, "/simulator/releases").json(image).send().await.expect(201);
        if route.operation.id.starts_with("AgentPools") {
            let upgrade = format!("{}/upgradeNodeImageVersion", Kind::Pool.path());
            let _ = self.app.post(&upgrade).await.expect(202);
        } else {
            let mut body = self.app.get(CLUSTER).await.expect(200).json();
            body["properties"]["kubernetesVersion"] = json!("1.36.3");
            let _ = self.app.put(CLUSTER, body).await.expect(200);
        }
    }

    /// Sends the route's method, with its body, to any path.
    pub async fn send(&self, route: &Route, path: &str) -> TestAnswer {
        let request = self.app.request(route.method.clone(), path);
        match Self::body(route) {
            Some(body) => request.json(body).send().await,
            None => request.send().await,
        }
    }
}
