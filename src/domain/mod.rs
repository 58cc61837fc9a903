//! What a fleet, a run and a cluster are, and every rule about them: pure functions over plain data.
//!
//! Nothing here may do I/O, read a clock or make a random number; `now` and ids are arguments. To add a
//! resource, give it a module here, then an `Entity` for the store, use cases in `service` and a folder in `api`,
//! all of the same name.

pub mod auto_upgrade;
pub mod bulk_clusters;
pub mod catalogue;
pub mod clock;
pub mod etag;
pub mod fleet;
pub mod gate;
pub mod gate_schedule;
pub mod identity;
pub mod ids;
pub mod iso_duration;
pub mod kubernetes_version;
pub mod labels;
pub mod lifecycle;
pub mod limit;
pub mod local_time;
pub mod managed_cluster;
pub mod member;
pub mod merge_patch;
pub mod mesh;
pub mod names;
pub mod namespace;
pub mod node_image;
pub mod observed_cluster;
pub mod operation;
pub mod refusal;
pub mod resource_group;
pub mod resource_id;
pub mod resource_quantity;
pub mod selector;
pub mod snapshot;
pub mod strategy;
pub mod system_data;
pub mod tags;
pub mod time;
pub mod update_run;
pub mod upgrade_timeline;
pub mod window;
