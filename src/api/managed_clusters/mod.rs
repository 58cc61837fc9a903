//! `managedClusters`: the clusters that runs upgrade, as AKS shows them.
//!
//! Their surface is far larger than what is simulated, so bodies are not read by the contract's table: what the
//! domain does not take is kept and echoed.

pub mod abort;
mod credentials;
pub mod delete;
pub mod get;
pub mod list_admin_credential;
pub mod list_by_group;
pub mod list_by_subscription;
pub mod list_user_credential;
pub mod patch;
pub mod put;
pub mod start;
pub mod stop;
pub mod upgrade_profile;

use serde_json::{Map, Value};

use super::contract::ResourceType;
use super::extract::{Call, RawBody, agrees_with_url};
use super::resource::Rendered;
use crate::domain::etag::ETag;
use crate::domain::managed_cluster::{ManagedCluster, cluster_view};
use crate::domain::refusal::{Code, Faults, Refusal};

impl Rendered for ManagedCluster {
    const CONTRACT: Option<&'static ResourceType> = None;

    fn body(&self, etag: ETag) -> Value {
        cluster_view(self, etag)
    }
}

/// The body of a write of an AKS type: an object that agrees with the URL.
///
/// # Errors
/// `InvalidRequestContent`, or what does not agree.
pub(super) fn object(call: &Call, body: &RawBody) -> Result<Map<String, Value>, Refusal> {
    let body = body.json()?;
    let mut faults = Faults::new();
    agrees_with_url(&body, call, &mut faults);
    faults.finish()?;
    match body {
        Value::Object(members) => Ok(members),
        _ => Err(Refusal::new(Code::InvalidRequestContent, "The body must be a JSON object.")),
    }
}
