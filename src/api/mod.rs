//! The HTTP API: requests become use cases, their results become answers.
//!
//! [`routes`] is the whole table; a row's handler, what the OpenAPI document says about it, and its tests are in one
//! file, one folder a resource. No rule of a resource lives here, and no transaction. To add an operation, write its
//! file and add its row; the router, the document and the tests of completeness follow.

mod agent_pools;
mod attempt;
mod auto_upgrade_profiles;
mod cluster_mesh_profiles;
pub mod contract;
mod dev_identity;
pub mod error;
pub mod extract;
mod fallback;
pub mod filter;
mod fleets;
pub mod gates;
mod health;
mod locations;
pub mod lro;
mod maintenance_configurations;
mod managed_clusters;
mod managed_namespaces;
mod members;
mod metadata;
mod middleware;
pub mod openapi;
mod operations;
pub mod page;
mod providers;
pub mod resource;
mod resource_groups;
mod resources;
pub mod route;
pub mod simulator;
mod snapshots;
mod state;
pub mod update_runs;
mod update_strategies;

pub use attempt::attempt;
pub use state::Api;

use axum::Router;
use axum::http::Method;
use axum::middleware::{from_fn, from_fn_with_state};
use tower_http::catch_panic::CatchPanicLayer;

use self::route::{Route, route};

/// Rows: `METHOD path => operation's module`.
macro_rules! rows {
    ($($method:ident $path:expr => $($operation:ident)::+;)*) => {
        vec![$(route(Method::$method, $path, &$($operation)::+::OPERATION, $($operation)::+::handle)),*]
    };
}

/// Paths that many rows share.
macro_rules! path {
    (sub $rest:literal) => {
        concat!("/subscriptions/{subscriptionId}", $rest)
    };
    (group $rest:literal) => {
        concat!("/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}", $rest)
    };
    (fleet $rest:literal) => {
        concat!(
            "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}",
            "/providers/Microsoft.ContainerService/fleets/{fleetName}",
            $rest
        )
    };
    (cluster $rest:literal) => {
        concat!(
            "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}",
            "/providers/Microsoft.ContainerService/managedClusters/{resourceName}",
            $rest
        )
    };
}

/// Every operation of the API.
#[rustfmt::skip]
pub fn routes() -> Vec<Route> {
    rows! {
        GET    "/subscriptions" => providers::subscriptions;
        GET    "/tenants" => providers::tenants;
        GET    "/providers/Microsoft.ContainerService/operations" => providers::operations;
        GET    path!(sub "") => providers::subscription;
        GET    path!(sub "/locations") => providers::locations;
        GET    path!(sub "/providers") => providers::list;
        GET    path!(sub "/providers/Microsoft.ContainerService") => providers::get;
        POST   path!(sub "/providers/Microsoft.ContainerService/register") => providers::register;
        GET    path!(sub "/providers/Microsoft.ContainerService/locations/{location}/operations/{operationId}") => operations::status;
        GET    path!(sub "/providers/Microsoft.ContainerService/locations/{location}/operationresults/{operationId}") => operations::result;

        GET    path!(sub "/resources") => resources::list;
        GET    path!(group "/resources") => resources::list_by_group;
        GET    path!(sub "/resourceGroups") => resource_groups::list;
        GET    path!(group "") => resource_groups::get;
        HEAD   path!(group "") => resource_groups::head;
        PUT    path!(group "") => resource_groups::put;
        PATCH  path!(group "") => resource_groups::patch;
        DELETE path!(group "") => resource_groups::delete;

        GET    path!(sub "/providers/Microsoft.ContainerService/fleets") => fleets::list_by_subscription;
        GET    path!(group "/providers/Microsoft.ContainerService/fleets") => fleets::list_by_group;
        GET    path!(fleet "") => fleets::get;
        PUT    path!(fleet "") => fleets::put;
        PATCH  path!(fleet "") => fleets::patch;
        DELETE path!(fleet "") => fleets::delete;
        POST   path!(fleet "/listCredentials") => fleets::list_credentials;

        GET    path!(fleet "/members") => members::list;
        GET    path!(fleet "/members/{fleetMemberName}") => members::get;
        PUT    path!(fleet "/members/{fleetMemberName}") => members::put;
        PATCH  path!(fleet "/members/{fleetMemberName}") => members::patch;
        DELETE path!(fleet "/members/{fleetMemberName}") => members::delete;

        GET    path!(fleet "/updateStrategies") => update_strategies::list;
        GET    path!(fleet "/updateStrategies/{updateStrategyName}") => update_strategies::get;
        PUT    path!(fleet "/updateStrategies/{updateStrategyName}") => update_strategies::put;
        DELETE path!(fleet "/updateStrategies/{updateStrategyName}") => update_strategies::delete;

        GET    path!(fleet "/updateRuns") => update_runs::list;
        GET    path!(fleet "/updateRuns/{updateRunName}") => update_runs::get;
        PUT    path!(fleet "/updateRuns/{updateRunName}") => update_runs::put;
        DELETE path!(fleet "/updateRuns/{updateRunName}") => update_runs::delete;
        POST   path!(fleet "/updateRuns/{updateRunName}/start") => update_runs::start;
        POST   path!(fleet "/updateRuns/{updateRunName}/stop") => update_runs::stop;
        POST   path!(fleet "/updateRuns/{updateRunName}/skip") => update_runs::skip;

        GET    path!(fleet "/autoUpgradeProfiles") => auto_upgrade_profiles::list;
        GET    path!(fleet "/autoUpgradeProfiles/{autoUpgradeProfileName}") => auto_upgrade_profiles::get;
        PUT    path!(fleet "/autoUpgradeProfiles/{autoUpgradeProfileName}") => auto_upgrade_profiles::put;
        DELETE path!(fleet "/autoUpgradeProfiles/{autoUpgradeProfileName}") => auto_upgrade_profiles::delete;
        POST   path!(fleet "/autoUpgradeProfiles/{autoUpgradeProfileName}/generateUpdateRun") => auto_upgrade_profiles::generate_update_run;

        GET    path!(fleet "/gates") => gates::list;
        GET    path!(fleet "/gates/{gateName}") => gates::get;
        PATCH  path!(fleet "/gates/{gateName}") => gates::patch;

        GET    path!(fleet "/clusterMeshProfiles") => cluster_mesh_profiles::list;
        GET    path!(fleet "/clusterMeshProfiles/{clusterMeshProfileName}") => cluster_mesh_profiles::get;
        PUT    path!(fleet "/clusterMeshProfiles/{clusterMeshProfileName}") => cluster_mesh_profiles::put;
        DELETE path!(fleet "/clusterMeshProfiles/{clusterMeshProfileName}") => cluster_mesh_profiles::delete;
        POST   path!(fleet "/clusterMeshProfiles/{clusterMeshProfileName}/apply") => cluster_mesh_profiles::apply;

        GET    path!(fleet "/managedNamespaces") => managed_namespaces::list;
        GET    path!(fleet "/managedNamespaces/{managedNamespaceName}") => managed_namespaces::get;
        PUT    path!(fleet "/managedNamespaces/{managedNamespaceName}") => managed_namespaces::put;
        PATCH  path!(fleet "/managedNamespaces/{managedNamespaceName}") => managed_namespaces::patch;
        DELETE path!(fleet "/managedNamespaces/{managedNamespaceName}") => managed_namespaces::delete;

        GET    path!(sub "/providers/Microsoft.ContainerService/managedClusters") => managed_clusters::list_by_subscription;
        GET    path!(group "/providers/Microsoft.ContainerService/managedClusters") => managed_clusters::list_by_group;
        GET    path!(cluster "") => managed_clusters::get;
        PUT    path!(cluster "") => managed_clusters::put;
        PATCH  path!(cluster "") => managed_clusters::patch;
        DELETE path!(cluster "") => managed_clusters::delete;
        POST   path!(cluster "/start") => managed_clusters::start;
        POST   path!(cluster "/stop") => managed_clusters::stop;
        POST   path!(cluster "/abort") => managed_clusters::abort;
        POST   path!(cluster "/listClusterUserCredential") => managed_clusters::list_user_credential;
        POST   path!(cluster "/listClusterAdminCredential") => managed_clusters::list_admin_credential;
        GET    path!(cluster "/upgradeProfiles/{profileName}") => managed_clusters::upgrade_profile;

        GET    path!(cluster "/agentPools") => agent_pools::list;
        GET    path!(cluster "/agentPools/{agentPoolName}") => agent_pools::get;
        PUT    path!(cluster "/agentPools/{agentPoolName}") => agent_pools::put;
        DELETE path!(cluster "/agentPools/{agentPoolName}") => agent_pools::delete;
        POST   path!(cluster "/agentPools/{agentPoolName}/abort") => agent_pools::abort;
        POST   path!(cluster "/agentPools/{agentPoolName}/upgradeNodeImageVersion") => agent_pools::upgrade_node_image_version;
        GET    path!(cluster "/agentPools/{agentPoolName}/upgradeProfiles/{profileName}") => agent_pools::upgrade_profile;

        GET    path!(cluster "/maintenanceConfigurations") => maintenance_configurations::list;
        GET    path!(cluster "/maintenanceConfigurations/{configName}") => maintenance_configurations::get;
        PUT    path!(cluster "/maintenanceConfigurations/{configName}") => maintenance_configurations::put;
        DELETE path!(cluster "/maintenanceConfigurations/{configName}") => maintenance_configurations::delete;

        GET    path!(sub "/providers/Microsoft.ContainerService/snapshots") => snapshots::list_by_subscription;
        GET    path!(group "/providers/Microsoft.ContainerService/snapshots") => snapshots::list_by_group;
        GET    path!(group "/providers/Microsoft.ContainerService/snapshots/{snapshotName}") => snapshots::get;
        PUT    path!(group "/providers/Microsoft.ContainerService/snapshots/{snapshotName}") => snapshots::put;
        PATCH  path!(group "/providers/Microsoft.ContainerService/snapshots/{snapshotName}") => snapshots::patch;
        DELETE path!(group "/providers/Microsoft.ContainerService/snapshots/{snapshotName}") => snapshots::delete;

        GET    path!(sub "/providers/Microsoft.ContainerService/locations/{location}/kubernetesVersions") => locations::kubernetes_versions;
        GET    path!(sub "/providers/Microsoft.ContainerService/locations/{location}/nodeImageVersions") => locations::node_image_versions;

        GET    "/simulator/clock" => simulator::clock::get;
        PUT    "/simulator/clock" => simulator::clock::put;
        POST   "/simulator/clock/advance" => simulator::clock::advance;
        GET    concat!("/simulator/behaviors", path!(cluster "")) => simulator::behaviors::get;
        PUT    concat!("/simulator/behaviors", path!(cluster "")) => simulator::behaviors::put;
        DELETE concat!("/simulator/behaviors", path!(cluster "")) => simulator::behaviors::delete;
        GET    concat!("/simulator/updateRuns", path!(fleet "/updateRuns/{updateRunName}/plan")) => simulator::plan;
        POST   "/simulator/clusters" => simulator::clusters;
        GET    "/simulator/catalogue" => simulator::catalogue;
        POST   "/simulator/releases" => simulator::releases;

        GET    "/metadata/endpoints" => metadata::endpoints;
        GET    "/dev/identity/token" => dev_identity::token;

        GET    "/openapi.json" => openapi;
        GET    "/livez" => health::livez;
        GET    "/readyz" => health::readyz;
        GET    "/metrics" => health::metrics;
    }
}

/// The operations that a process with these settings serves.
fn served_routes(api: &Api) -> Vec<Route> {
    let mut routes = routes();
    routes.retain(|route| api.simulator || !route.path.starts_with("/simulator"));
    routes.retain(|route| api.dev_identity || !route.path.starts_with("/dev/"));
    routes
}

/// The whole service as a router.
pub fn router(api: Api) -> Router {
    let routes = served_routes(&api);
    let segments = middleware::Canonical::of(routes.iter().map(|route| route.path));
    let inner = route::router(routes)
        .fallback(fallback::unknown_path)
        .method_not_allowed_fallback(fallback::unknown_method)
        .layer(CatchPanicLayer::custom(middleware::answer_panic))
        .layer(from_fn_with_state(api.clone(), middleware::throttle))
        .layer(from_fn(middleware::take_body))
        .layer(from_fn_with_state(api.clone(), middleware::exchange))
        .with_state(api);
    Router::new().fallback_service(middleware::canonical(segments, inner))
}
