//! `managedClusters/agentPools`: pools with eTags of their own, as AKS shows them.

pub mod abort;
pub mod delete;
pub mod get;
pub mod list;
pub mod put;
pub mod upgrade_node_image_version;
pub mod upgrade_profile;

use axum::http::StatusCode;
use axum::response::Response;

use super::extract::Call;
use super::lro::{Polling, poll};
use super::resource::answer;
use crate::domain::managed_cluster::pool_view;
use crate::service::managed_clusters::WrittenPool;

/// The answer to a write of a pool.
fn answer_written(call: &Call, status: StatusCode, written: &WrittenPool, polling: Polling) -> Response {
    let body = pool_view(&written.pool.cluster, &written.pool.pool);
    let mut response = answer(status, &body, written.etag());
    poll(&mut response, call, Some(&written.operation), polling);
    response
}
