//! An agent pool: nodes of one operating system, version and image.

use std::str::FromStr;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::string_at;
use crate::domain::etag::ETag;
use crate::domain::kubernetes_version::KubernetesVersion;
use crate::domain::lifecycle::Lifecycle;
use crate::domain::node_image::{NodeImage, OsType};

/// What a pool is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "ARM's own names")]
pub enum PoolMode {
    System,
    #[default]
    User,
    Gateway,
}

/// A pool of a cluster.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AgentPool {
    /// Its name.
    pub name: String,
    /// Its own tag.
    pub etag: ETag,
    /// Where it stands.
    pub lifecycle: Lifecycle,
    /// How many nodes it has.
    pub count: u32,
    /// What it is for.
    pub mode: PoolMode,
    /// Its nodes' system.
    pub os: OsType,
    /// Its nodes' SKU of that system.
    pub os_sku: String,
    /// The version asked for, as sent: exact or an alias.
    pub orchestrator_version: String,
    /// The version its nodes run.
    pub current_version: KubernetesVersion,
    /// The image its nodes run.
    pub image: NodeImage,
    /// Members beside `properties` that are kept as sent.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub envelope: Map<String, Value>,
    /// Members of `properties` that are kept as sent.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub properties: Map<String, Value>,
}

impl AgentPool {
    /// The snapshot its nodes are made from.
    pub fn snapshot(&self) -> Option<&str> {
        string_at(&self.properties, &["creationData", "sourceResourceId"])
    }

    /// Leaves its snapshot.
    pub(crate) fn drop_snapshot(&mut self) {
        self.properties.shift_remove("creationData");
    }

    /// In how many batches its nodes are replaced: `ceil(count / surge)`.
    pub fn batches(&self) -> u32 {
        let surge = string_at(&self.properties, &["upgradeSettings", "maxSurge"])
            .and_then(|text| text.parse().ok())
            .unwrap_or(Surge::DEFAULT);
        self.count.div_ceil(surge.nodes(self.count))
    }
}

/// `upgradeSettings.maxSurge`: how many nodes are replaced at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Surge {
    /// So many.
    Nodes(u32),
    /// So many of a hundred, rounded up.
    Percent(u32),
}

impl Surge {
    /// Where a pool says nothing.
    pub const DEFAULT: Self = Self::Percent(10);

    /// How many nodes of `count`; at least one, so that an upgrade ends.
    pub fn nodes(self, count: u32) -> u32 {
        let nodes = match self {
            Self::Nodes(nodes) => nodes,
            Self::Percent(percent) => {
                let hundredths = u64::from(count) * u64::from(percent);
                u32::try_from(hundredths.div_ceil(100)).unwrap_or(u32::MAX)
            }
        };
        nodes.max(1)
    }
}

impl FromStr for Surge {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let invalid =
            || format!("'{text}' is not a surge; expected a number of nodes such as \"1\", or \"10%\"");
        let (number, percent) = match text.strip_suffix('%') {
            Some(number) => (number, true),
            None => (text, false),
        };
        if number.is_empty() || !number.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(invalid());
        }
        let number: u32 = number.parse().map_err(|_| invalid())?;
        match percent {
            true if !(1..=100).contains(&number) => Err(invalid()),
            true => Ok(Self::Percent(number)),
            false => Ok(Self::Nodes(number)),
        }
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("1", 10, 1)]
    #[case("0", 10, 1)]
    #[case("10%", 10, 1)]
    #[case("10%", 11, 2)]
    #[case("33%", 10, 4)]
    #[case("100%", 7, 7)]
    #[case("1%", 0, 1)]
    fn percentages_are_rounded_up_and_one_node_is_the_least(
        #[case] surge: Surge,
        #[case] count: u32,
        #[case] nodes: u32,
    ) {
        assert_eq!(surge.nodes(count), nodes);
    }

    #[rstest]
    fn other_texts_are_no_surge(
        #[values("", "%", "0%", "101%", "-1", "1.5", "x", "99999999999")] text: &str,
    ) {
        assert!(text.parse::<Surge>().is_err());
    }
}
