//! The use cases over a store, with a manual clock, real time that stands still, and ids in order.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use chrono::TimeDelta;
use serde_json::json;

use super::app::{SequentialIds, beginning};
use crate::app::App;
use crate::clock::{RealTime, ServiceClock};
use crate::domain::catalogue::Catalogue;
use crate::domain::clock::{ClockSetting, Mode};
use crate::domain::managed_cluster::{create, read_cluster};
use crate::domain::resource_id::ResourceId;
use crate::domain::system_data::{Principal, SystemData};
use crate::domain::time::{Timestamp, from_micros, to_micros};
use crate::service::{CallContext, OperationDurations, Service, Settings};
use crate::store::{Access, NewRecord, Store};

/// The subscription that tests play in.
pub const SUBSCRIPTION: &str = "00000000-0000-0000-0000-000000000001";

/// Settings of a service whose operations take no time.
pub const AT_ONCE: Settings = Settings {
    operation_durations: OperationDurations::Zero,
    max_members: 1000,
    strict_resource_groups: false,
};

/// A service under test; everything of [`Service`] is called on it directly.
pub struct TestService {
    service: Service,
    real: StoppedTime,
}

impl TestService {
    /// Operations take no time, groups are made implicitly.
    pub fn new(store: Arc<dyn Store>) -> Self {
        Self::with(store, AT_ONCE)
    }

    /// With these settings.
    pub fn with(store: Arc<dyn Store>, settings: Settings) -> Self {
        let real = StoppedTime::default();
        let setting =
            ClockSetting { mode: Mode::Manual, anchor_real: real.now(), anchor_simulated: real.now() };
        let clock = ServiceClock::new(Box::new(real.clone()), setting);
        let ids = Arc::new(SequentialIds::default());
        let service = App::service(store, clock, ids, settings, Catalogue::built_in().clone());
        Self { service, real }
    }

    /// Moves the simulated clock on, in memory alone, and does what operations have due then.
    ///
    /// # Panics
    /// Where storage fails.
    pub async fn pass(&self, time: TimeDelta) {
        let setting = self.clock.setting();
        let to = setting.anchor_simulated + time;
        self.clock.set(ClockSetting { anchor_simulated: to, ..setting });
        while self.finish_due_operations(to).await > 0 {}
    }

    /// Does what operations have due; how many were looked at.
    ///
    /// # Panics
    /// Where storage fails.
    pub async fn finish_due_operations(&self, now: Timestamp) -> usize {
        let mut tx = self.store.begin(Access::Write).await.expect("the store begins");
        let done = self.service.finish_due_operations(tx.as_mut(), now).await.expect("operations end");
        tx.commit(true).await.expect("the store commits");
        done
    }

    /// Moves real time on.
    pub fn pass_real(&self, time: TimeDelta) {
        self.real.0.fetch_add(time.num_microseconds().unwrap_or_default(), Ordering::Relaxed);
    }

    /// Makes a managed cluster in `eastus`, in group `clusters`; its id.
    ///
    /// # Panics
    /// Where storage fails.
    pub async fn cluster(&self, name: &str) -> ResourceId {
        let id = ResourceId::resource_group(SUBSCRIPTION, "clusters").child("managedClusters", name);
        let body = json!({ "location": "eastus", "properties": { "kubernetesVersion": "1.36.2", "dnsPrefix": "dns",
            "agentPoolProfiles": [{ "name": "sys", "mode": "System", "count": 1 }] } });
        let spec = read_cluster(body.as_object().expect("an object").clone()).expect("a valid cluster");
        let now = self.clock.now();
        let system_data = SystemData::created(&Principal::anonymous(), now);
        let ids = self.ids.as_ref();
        let cluster =
            create(id.clone(), spec, Catalogue::built_in(), system_data, now, ids).expect("a valid cluster");
        let mut tx = self.store.begin(Access::Write).await.expect("the store answers");
        tx.insert(&[NewRecord::of(&cluster, self.new_etag())]).await.expect("the name is free");
        tx.commit(false).await.expect("the store answers");
        id
    }
}

impl std::ops::Deref for TestService {
    type Target = Service;

    fn deref(&self) -> &Service {
        &self.service
    }
}

/// A call by nobody in particular.
pub fn call() -> CallContext {
    call_of("anonymous")
}

/// A call by the user `name`.
pub fn call_of(name: &str) -> CallContext {
    let principal = Principal { name: name.to_owned(), ..Principal::anonymous() };
    CallContext { principal, correlation_id: "00000000-0000-0000-0000-00000000000c".to_owned() }
}

/// Real time that moves when told.
#[derive(Clone, Debug)]
struct StoppedTime(Arc<AtomicI64>);

impl Default for StoppedTime {
    fn default() -> Self {
        Self(Arc::new(AtomicI64::new(to_micros(beginning()))))
    }
}

impl RealTime for StoppedTime {
    fn now(&self) -> Timestamp {
        from_micros(self.0.load(Ordering::Relaxed))
    }
}
