//! Bodies that say everything one may say of a type. Where members exclude each other there are several.
//!
//! That nothing of the contract's table is missing is for `round_trip` to see.

use fleetplane::testing::app::{FLEET, GROUP, TestApp};
use serde_json::{Value, json};

use super::Kind;
use crate::api::{CLUSTER, member_body, strategy_body};

/// The strategy that others refer to.
const STRATEGY: &str = "updateStrategies/referred";

impl Kind {
    /// Everything that one may say.
    pub fn maximal(self) -> Vec<Value> {
        match self {
            Self::Fleet => vec![fleet()],
            Self::Member => vec![member()],
            Self::Strategy => vec![json!({ "properties": { "strategy": strategy() } })],
            Self::Run => runs(),
            Self::Profile => profiles(),
            Self::Namespace => vec![on_named_members(), on_chosen_members()],
            Self::Mesh => vec![crate::api::mesh_body("tier=web,zone=1")],
            Self::Cluster => vec![cluster()],
            Self::Pool => vec![beside_properties(json!({ "properties": pool() }))],
            Self::Window => vec![window()],
            Self::Snapshot => vec![snapshot()],
        }
    }

    /// Makes what the maximal bodies refer to.
    pub async fn make_referred(self, app: &TestApp) {
        match self {
            Self::Run | Self::Profile => {
                let _ = app.put(&format!("{FLEET}/{STRATEGY}"), strategy_body()).await.expect(201);
            }
            Self::Namespace => {
                for name in ["m1", "m2"] {
                    let _ = app.put(&format!("{FLEET}/members/{name}"), member_body(name)).await.expect(201);
                }
            }
            _ => {}
        }
    }
}

fn fleet() -> Value {
    let subnet = format!("{GROUP}/providers/Microsoft.Network/virtualNetworks/v/subnets/s");
    let identity = format!("{GROUP}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/i");
    json!({
        "location": "westeurope",
        "tags": { "b": "2", "a": "1" },
        "identity": { "type": "SystemAssigned, UserAssigned", "userAssignedIdentities": { identity: {} } },
        "properties": { "hubProfile": {
            "dnsPrefix": "fp",
            "apiServerAccessProfile":
                { "enablePrivateCluster": true, "enableVnetIntegration": true, "subnetId": subnet },
            "agentProfile": { "subnetId": subnet, "vmSize": "Standard_D2s_v3" },
        } },
    })
}

fn member() -> Value {
    let mut body = member_body("connected");
    body["properties"]["group"] = json!("canary");
    body["properties"]["labels"] = json!({ "env": "prod", "example.com/tier": "" });
    body
}

fn strategy() -> Value {
    let approval = json!({ "displayName": "Änderungen 🚢", "type": "Approval" });
    let schedule = json!({ "startDay": "Sunday", "startTime": "20:00", "utcOffset": "+01:00" });
    let scheduled =
        json!({ "displayName": "night", "type": "ScheduledStart", "scheduledStartConfiguration": schedule });
    json!({ "stages": [{
        "name": "canary",
        "groups": [{
            "name": "eu",
            "memberSelector": { "byLabel": "tier in (web,api)" },
            "maxConcurrency": "50%",
            "maxAllowedFailures": "1",
            "beforeGates": [approval, scheduled],
            "afterGates": [approval],
        }],
        "memberSelector": { "byLabel": "env=prod" },
        "afterStageWaitInSeconds": 3600,
        "maxConcurrency": "2",
        "maxAllowedFailures": "10%",
        "beforeGates": [scheduled],
        "afterGates": [approval],
    }] })
}

/// With a strategy of its own and images, and with a strategy that it refers to.
fn runs() -> Vec<Value> {
    let full = json!({ "type": "Full", "kubernetesVersion": "1.36" });
    let images = json!({ "type": "Custom", "customNodeImageVersions": [
        { "version": "AKSUbuntu-2204gen2containerd-202611.02.0" },
    ] });
    vec![
        json!({ "properties": {
            "strategy": strategy(),
            "managedClusterUpdate": { "upgrade": full, "nodeImageSelection": images },
        } }),
        json!({ "properties": {
            "updateStrategyId": format!("{FLEET}/{STRATEGY}"),
            "managedClusterUpdate": { "upgrade": { "type": "NodeImageOnly" } },
        } }),
    ]
}

fn profiles() -> Vec<Value> {
    vec![json!({ "properties": {
        "updateStrategyId": format!("{FLEET}/{STRATEGY}"),
        "channel": "TargetKubernetesVersion",
        "nodeImageSelection": { "type": "Consistent" },
        "disabled": true,
        "targetKubernetesVersion": "1.34",
        "longTermSupport": true,
    } })]
}

fn namespace(placement: &Value) -> Value {
    json!({
        "location": "westeurope",
        "tags": { "team": "a" },
        "properties": {
            "managedNamespaceProperties": {
                "labels": { "env": "prod" },
                "annotations": { "example.com/owner": "team a" },
                "defaultResourceQuota":
                    { "cpuRequest": "500m", "cpuLimit": "1", "memoryRequest": "1Gi", "memoryLimit": "1024Mi" },
                "defaultNetworkPolicy": { "ingress": "AllowSameNamespace", "egress": "AllowAll" },
            },
            "adoptionPolicy": "IfIdentical",
            "deletePolicy": "Delete",
            "propagationPolicy": {
                "type": "Placement",
                "placementProfile": { "defaultClusterResourcePlacement": placement },
            },
        },
    })
}

fn on_named_members() -> Value {
    namespace(&json!({
        "policy": {
            "placementType": "PickFixed",
            "clusterNames": ["m1", "m2"],
            "tolerations": [{ "key": "tier", "operator": "Equal", "value": "a", "effect": "NoSchedule" }],
        },
        "rolloutStrategy": { "type": "External", "clusterUpdateStrategy": { "name": "staged" } },
    }))
}

fn on_chosen_members() -> Value {
    let labels = json!({
        "matchLabels": { "env": "prod" },
        "matchExpressions": [{ "key": "tier", "operator": "In", "values": ["web", "api"] }],
    });
    let properties =
        json!({ "matchExpressions": [{ "name": "example.com/cores", "operator": "Ge", "values": ["8"] }] });
    let terms = json!([{ "labelSelector": labels, "propertySelector": properties }]);
    let required = json!({ "clusterSelectorTerms": terms });
    namespace(&json!({
        "policy": {
            "placementType": "PickAll",
            "affinity": { "clusterAffinity": { "requiredDuringSchedulingIgnoredDuringExecution": required } },
        },
        "rolloutStrategy": { "type": "RollingUpdate" },
    }))
}

/// Something that is not simulated: of every type that JSON has.
fn unknown() -> Value {
    json!({ "text": "é\"\\\u{7f}", "number": 18_446_744_073_709_551_615_u64, "fraction": 0.1, "flag": false, "none": null,
        "list": [[], {}, 1], "object": {} })
}

fn pool() -> Value {
    json!({
        "count": 2,
        "mode": "User",
        "osType": "Linux",
        "osSKU": "Ubuntu",
        "orchestratorVersion": "1.36.2",
        "upgradeSettings": { "maxSurge": "33%", "kept": unknown() },
        "vmSize": "Standard_D4s_v5",
        "type": "VirtualMachineScaleSets",
        "kept": unknown(),
    })
}

fn cluster() -> Value {
    let mut system = pool();
    (system["name"], system["mode"]) = (json!("sys"), json!("System"));
    json!({
        "location": "eastus",
        "tags": { "b": "2", "a": "1" },
        "identity": { "type": "SystemAssigned" },
        "sku": { "name": "Base", "tier": "Premium", "kept": unknown() },
        "kept": unknown(),
        "properties": {
            "kubernetesVersion": "1.36.2",
            "dnsPrefix": "dns",
            "supportPlan": "AKSLongTermSupport",
            "nodeResourceGroup": "nodes",
            "nodeProvisioningProfile": { "mode": "Manual", "kept": unknown() },
            "agentPoolProfiles": [system],
            "kept": unknown(),
        },
    })
}

fn window() -> Value {
    beside_properties(json!({
        "properties": {
            "maintenanceWindow": {
                "schedule": { "weekly": { "intervalWeeks": 2, "dayOfWeek": "Sunday" }, "kept": unknown() },
                "durationHours": 4,
                "startTime": "01:00",
                "startDate": "2026-12-01",
                "utcOffset": "+05:30",
                "notAllowedDates": [{ "start": "2026-12-24", "end": "2026-12-26" }],
                "kept": unknown(),
            },
            "timeInWeek": [{ "day": "Monday", "hourSlots": [1, 2] }],
            "notAllowedTime": [{ "start": "2026-12-24T00:00:00Z", "end": "2026-12-26T00:00:00Z" }],
            "kept": unknown(),
        },
    }))
}

/// With members that this type has not, though others have.
fn beside_properties(mut body: Value) -> Value {
    body["location"] = json!("East US");
    body["tags"] = json!({ "of": "nothing" });
    body["kept"] = unknown();
    body
}

fn snapshot() -> Value {
    json!({
        "location": "eastus",
        "tags": { "b": "2", "a": "1" },
        "properties": {
            "creationData": { "sourceResourceId": format!("{CLUSTER}/agentPools/work"), "kept": unknown() },
            "snapshotType": "NodePool",
            "kept": unknown(),
        },
        "kept": unknown(),
    })
}
