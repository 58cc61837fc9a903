//! ARM resource ids: parsed once, compared without case, written with canonical casing of the fixed segments.
//!
//! `/subscriptions/{guid}[/resourceGroups/{name}][/providers/{namespace}/{type}/{name}[/{type}/{name}…]]`
//! (the ARM protocol: ids, names, bodies). Names keep the casing in which they were first written. To teach it a
//! new type, add its segment to [`CANONICAL_SEGMENTS`].

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The one namespace whose resources are served.
pub const CONTAINER_SERVICE: &str = "Microsoft.ContainerService";

/// Fixed segments in the casing in which they are answered.
const CANONICAL_SEGMENTS: &[&str] = &[
    "subscriptions",
    "resourceGroups",
    "providers",
    CONTAINER_SERVICE,
    "Microsoft.Kubernetes",
    "Microsoft.Resources",
    "Microsoft.Compute",
    "fleets",
    "members",
    "updateRuns",
    "updateStrategies",
    "gates",
    "autoUpgradeProfiles",
    "managedNamespaces",
    "clusterMeshProfiles",
    "managedClusters",
    "connectedClusters",
    "agentPools",
    "maintenanceConfigurations",
    "snapshots",
    "locations",
    "operations",
    "operationresults",
    "kubernetesVersions",
    "nodeImageVersions",
];

/// `segment` in canonical casing where it is a known fixed one, else as it is.
pub fn canonical_segment(segment: &str) -> &str {
    CANONICAL_SEGMENTS.iter().find(|known| known.eq_ignore_ascii_case(segment)).copied().unwrap_or(segment)
}

/// A resource's id. Equality and hashing go by [`ResourceId::key`], so they ignore case.
#[derive(Clone, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ResourceId {
    subscription: String,
    resource_group: Option<String>,
    namespace: Option<String>,
    /// `(type, name)` from the outermost resource inwards.
    segments: Vec<(String, String)>,
}

/// Why a text is no resource id.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{text}' is not a resource id: {problem}")]
pub struct InvalidResourceId {
    text: String,
    problem: &'static str,
}

impl ResourceId {
    /// The id of a subscription.
    pub fn subscription(id: impl Into<String>) -> Self {
        Self { subscription: id.into(), resource_group: None, namespace: None, segments: Vec::new() }
    }

    /// The id of a resource group.
    pub fn resource_group(subscription: impl Into<String>, name: impl Into<String>) -> Self {
        Self { resource_group: Some(name.into()), ..Self::subscription(subscription) }
    }

    /// The id of a resource of this one's scope: a top-level resource under a group or subscription, a child
    /// under a resource.
    #[must_use]
    pub fn child(&self, kind: &str, name: &str) -> Self {
        let mut child = self.clone();
        child.namespace.get_or_insert_with(|| CONTAINER_SERVICE.to_owned());
        child.segments.push((canonical_segment(kind).to_owned(), name.to_owned()));
        child
    }

    /// The subscription's GUID, as written.
    pub fn subscription_id(&self) -> &str {
        &self.subscription
    }

    /// The resource group's name, as written.
    pub fn resource_group_name(&self) -> Option<&str> {
        self.resource_group.as_deref()
    }

    /// The id of the resource group this resource is in, if it is in one.
    pub fn group(&self) -> Option<Self> {
        self.resource_group.as_deref().map(|group| Self::resource_group(self.subscription.clone(), group))
    }

    /// The provider namespace, canonical where known.
    pub fn namespace(&self) -> Option<&str> {
        self.namespace.as_deref()
    }

    /// The resource's own name: the last segment.
    pub fn name(&self) -> &str {
        match (self.segments.last(), &self.resource_group) {
            (Some((_, name)), _) => name,
            (None, Some(group)) => group,
            (None, None) => &self.subscription,
        }
    }

    /// The type path without the namespace: `fleets/members`; empty for groups and subscriptions.
    pub fn type_path(&self) -> String {
        let kinds: Vec<&str> = self.segments.iter().map(|(kind, _)| kind.as_str()).collect();
        kinds.join("/")
    }

    /// The full type as bodies carry it: `Microsoft.ContainerService/fleets/members`.
    pub fn type_name(&self) -> String {
        match (&self.namespace, &self.resource_group) {
            (Some(namespace), _) => format!("{namespace}/{}", self.type_path()),
            (None, Some(_)) => "Microsoft.Resources/resourceGroups".to_owned(),
            (None, None) => "Microsoft.Resources/subscriptions".to_owned(),
        }
    }

    /// Whether this is the id of a `type_path` of [`CONTAINER_SERVICE`] in a resource group.
    pub fn is_container_service(&self, type_path: &str) -> bool {
        self.resource_group.is_some()
            && self.namespace.as_deref() == Some(CONTAINER_SERVICE)
            && self.type_path() == type_path
    }

    /// The resource around this one: its parent, for a top-level resource its group, for a group its subscription.
    pub fn parent(&self) -> Option<Self> {
        let mut parent = self.clone();
        if parent.segments.pop().is_some() {
            if parent.segments.is_empty() {
                parent.namespace = None;
            }
            Some(parent)
        } else if parent.resource_group.take().is_some() {
            Some(parent)
        } else {
            None
        }
    }

    /// The id in lower case: what compares, and what the stores index.
    pub fn key(&self) -> String {
        self.to_string().to_ascii_lowercase()
    }
}

impl fmt::Display for ResourceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "/subscriptions/{}", self.subscription)?;
        if let Some(group) = &self.resource_group {
            write!(f, "/resourceGroups/{group}")?;
        }
        if let Some(namespace) = &self.namespace {
            write!(f, "/providers/{namespace}")?;
        }
        self.segments.iter().try_for_each(|(kind, name)| write!(f, "/{kind}/{name}"))
    }
}

impl fmt::Debug for ResourceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl PartialEq for ResourceId {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for ResourceId {}

impl std::hash::Hash for ResourceId {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.key().hash(state);
    }
}

impl FromStr for ResourceId {
    type Err = InvalidResourceId;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let invalid = |problem| InvalidResourceId { text: text.chars().take(256).collect(), problem };
        let path = text.strip_prefix('/').ok_or_else(|| invalid("it must start with '/'"))?;
        let path = path.strip_suffix('/').unwrap_or(path);
        let parts: Vec<&str> = path.split('/').collect();
        if parts.iter().any(|part| part.is_empty()) {
            return Err(invalid("a segment is empty"));
        }
        let mut rest = parts.as_slice();
        let mut take = |word: &str| match rest {
            [first, value, tail @ ..] if first.eq_ignore_ascii_case(word) => {
                rest = tail;
                Some((*value).to_owned())
            }
            _ => None,
        };
        let subscription =
            take("subscriptions").ok_or_else(|| invalid("it must start with '/subscriptions/{guid}'"))?;
        let resource_group = take("resourceGroups");
        let namespace = take("providers").map(|namespace| canonical_segment(&namespace).to_owned());
        if !rest.len().is_multiple_of(2) {
            return Err(invalid("types and names must come in pairs"));
        }
        if namespace.is_none() != rest.is_empty() {
            return Err(invalid("a provider needs a type and a name, and they need a provider"));
        }
        let segments =
            rest.chunks(2).map(|pair| (canonical_segment(pair[0]).to_owned(), pair[1].to_owned())).collect();
        Ok(Self { subscription, resource_group, namespace, segments })
    }
}

impl TryFrom<String> for ResourceId {
    type Error = InvalidResourceId;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<ResourceId> for String {
    fn from(id: ResourceId) -> Self {
        id.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const SUB: &str = "11111111-2222-3333-4444-555555555555";

    #[test]
    fn fixed_segments_are_made_canonical_and_names_kept() {
        let id: ResourceId = format!("/SUBSCRIPTIONS/{SUB}/resourcegroups/My-Rg/PROVIDERS/microsoft.containerservice/FLEETS/F1/updateruns/R")
            .parse()
            .unwrap();
        assert_eq!(
            id.to_string(),
            format!(
                "/subscriptions/{SUB}/resourceGroups/My-Rg/providers/Microsoft.ContainerService/fleets/F1/updateRuns/R"
            )
        );
        assert_eq!(id.type_name(), "Microsoft.ContainerService/fleets/updateRuns");
        assert_eq!(id.name(), "R");
    }

    #[test]
    fn ids_compare_without_case() {
        let a = ResourceId::resource_group(SUB, "RG").child("fleets", "A");
        assert_eq!(a, ResourceId::resource_group(SUB, "rg").child("Fleets", "a"));
        assert_ne!(a, ResourceId::resource_group(SUB, "rg").child("fleets", "b"));
    }

    #[test]
    fn parents_lead_up_to_the_subscription() {
        let member = ResourceId::resource_group(SUB, "rg").child("fleets", "f").child("members", "m");
        let chain: Vec<String> =
            std::iter::successors(Some(member), ResourceId::parent).map(|id| id.type_name()).collect();
        assert_eq!(
            chain,
            [
                "Microsoft.ContainerService/fleets/members",
                "Microsoft.ContainerService/fleets",
                "Microsoft.Resources/resourceGroups",
                "Microsoft.Resources/subscriptions"
            ]
        );
    }

    #[test]
    fn what_is_no_id_is_refused() {
        for text in [
            "",
            "fleets/f",
            "/",
            "/subscriptions",
            "/subscriptions/s/x",
            "/subscriptions/s//resourceGroups/r",
            "/subscriptions/s/providers/N",
            "/subscriptions/s/providers/N/t",
            "/subscriptions/s/resourceGroups/r/t/n",
        ] {
            assert!(text.parse::<ResourceId>().is_err(), "{text} was taken");
        }
    }

    proptest! {
        #[test]
        fn an_id_survives_being_written_and_read(
            group in proptest::option::of("[-a-zA-Z0-9_.()]{1,20}"),
            segments in proptest::collection::vec(("[a-zA-Z]{1,12}", "[-a-zA-Z0-9]{1,20}"), 0..4),
        ) {
            let mut id = ResourceId::subscription(SUB);
            if let Some(group) = group { id = ResourceId::resource_group(SUB, group); }
            for (kind, name) in &segments { id = id.child(kind, name); }
            let read: ResourceId = id.to_string().parse().unwrap();
            prop_assert_eq!(read.to_string(), id.to_string());
            let shouted: ResourceId = id.to_string().to_ascii_uppercase().parse().unwrap();
            prop_assert_eq!(shouted.key(), id.key());
        }
    }
}
