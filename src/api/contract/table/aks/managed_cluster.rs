//! `managedClusters`.

use super::super::super::shape::{Member, Object, Shape, value};
use super::super::shared::{ID, NAME, SYSTEM_DATA, TAGS, TYPE as KIND};
use super::{ETAG, KUBERNETES_VERSION, POWER_STATE, PROVISIONING_STATE, agent_pool, echoed};

/// The type.
pub static MANAGED_CLUSTER: Object = Object::new(
    "ManagedCluster",
    &[
        ID,
        NAME,
        KIND,
        Member::new("location", Shape::Text).says("A region of the catalogue; required of a new cluster."),
        TAGS,
        ETAG,
        SYSTEM_DATA,
        Member::new("sku", Shape::Object(&SKU)),
        echoed("identity"),
        echoed("extendedLocation"),
        echoed("kind"),
        Member::new("properties", Shape::Object(&PROPERTIES)),
    ],
)
.open();

static SKU: Object = Object::new(
    "ManagedClusterSKU",
    &[
        echoed("name"),
        Member::new("tier", Shape::Choice(&[value("Free"), value("Standard"), value("Premium")])),
    ],
)
.open();

static PROPERTIES: Object = Object::new(
    "ManagedClusterProperties",
    &[
        PROVISIONING_STATE,
        POWER_STATE,
        Member::new("kubernetesVersion", Shape::Text)
            .spelled(KUBERNETES_VERSION)
            .says("The version asked for: exact, an alias, or empty for the default."),
        Member::new("currentKubernetesVersion", Shape::Text).read_only().says("The version it runs."),
        Member::new("agentPoolProfiles", Shape::List(&Shape::Object(&agent_pool::PROFILE)))
            .says("Its pools, at least one of them of mode System."),
        Member::new("supportPlan", SUPPORT_PLAN).says("AKSLongTermSupport needs the tier Premium."),
        Member::new("nodeProvisioningProfile", Shape::Object(&NODE_PROVISIONING)),
        Member::new("maxAgentPools", Shape::Integer).read_only(),
        Member::new("dnsPrefix", Shape::Text),
        Member::new("fqdn", Shape::Text).read_only().says("The name of its API server, which leads nowhere."),
        Member::new("nodeResourceGroup", Shape::Text),
        echoed("fqdnSubdomain"),
        echoed("linuxProfile"),
        echoed("windowsProfile"),
        echoed("servicePrincipalProfile"),
        echoed("addonProfiles"),
        echoed("podIdentityProfile"),
        echoed("oidcIssuerProfile"),
        echoed("nodeResourceGroupProfile"),
        echoed("enableRBAC"),
        echoed("enableFIPS"),
        echoed("networkProfile"),
        echoed("aadProfile"),
        echoed("autoUpgradeProfile"),
        echoed("upgradeSettings"),
        echoed("autoScalerProfile"),
        echoed("apiServerAccessProfile"),
        echoed("diskEncryptionSetID"),
        echoed("identityProfile"),
        echoed("privateLinkResources"),
        echoed("disableLocalAccounts"),
        echoed("httpProxyConfig"),
        echoed("securityProfile"),
        echoed("storageProfile"),
        echoed("ingressProfile"),
        echoed("publicNetworkAccess"),
        echoed("workloadAutoScalerProfile"),
        echoed("azureMonitorProfile"),
        echoed("serviceMeshProfile"),
        echoed("metricsProfile"),
        echoed("bootstrapProfile"),
        echoed("aiToolchainOperatorProfile"),
        echoed("schedulerProfile"),
        echoed("hostedSystemProfile"),
    ],
)
.open();

/// Who supports a Kubernetes version, and how long.
pub const SUPPORT_PLAN: Shape = Shape::Choice(&[value("KubernetesOfficial"), value("AKSLongTermSupport")]);

static NODE_PROVISIONING: Object = Object::new(
    "ManagedClusterNodeProvisioningProfile",
    &[
        Member::new("mode", Shape::Text).says("Auto: nodes are made as they are needed."),
        echoed("defaultNodePools"),
    ],
)
.open();
