//! Random releases, looks at random times, runs that end or fail: whatever happens, a target has one run, one run is under
//! way at a time, no cluster goes back or jumps a minor, and it all ends.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use serde_json::{Value, json};

use super::target::newest;
use super::tests::{at, following, profile, spec};
use super::trigger::{Decision, Situation, Turn, decide, news, turn};
use super::*;
use crate::domain::catalogue::{Catalogue, Release, ReleaseItem};
use crate::domain::kubernetes_version::{KubernetesVersion, minors_ahead};
use crate::domain::time::Timestamp;
use crate::domain::update_run::judge::{Verdict, judge};
use crate::domain::update_run::observe::Seen;
use crate::domain::update_run::state::UpdateState;
use crate::domain::update_run::target::Target;
use crate::domain::update_run::testing::cluster::Cluster;

const UBUNTU: &str = "AKSUbuntu-2204gen2containerd";

#[derive(Clone, Debug)]
enum Happening {
    /// The next patch of the newest minor, or of one so far behind it.
    Patch(u16),
    NewMinor,
    Preview,
    Image,
    SecurityPatch,
    /// Somebody looks at the profile; releases in between are one difference.
    Look,
    /// The run under way ends, having upgraded its clusters or not.
    End(bool),
    Toggle,
}

fn happenings() -> impl Strategy<Value = Vec<Happening>> {
    let one = prop_oneof![
        (0_u16..4).prop_map(Happening::Patch),
        Just(Happening::NewMinor),
        Just(Happening::Preview),
        Just(Happening::Image),
        Just(Happening::SecurityPatch),
        Just(Happening::Look),
        Just(Happening::Look),
        any::<bool>().prop_map(Happening::End),
        Just(Happening::Toggle),
    ];
    prop::collection::vec(one, 1..60)
}

fn specs() -> impl Strategy<Value = ProfileSpec> {
    prop_oneof![
        Just(spec(Channel::Rapid)),
        Just(spec(Channel::Stable)),
        Just(spec(Channel::NodeImage)),
        Just(spec(Channel::SecurityPatch)),
        Just(following("1.36", false)),
        Just(following("1.34", true)),
    ]
}

/// One profile's fleet, with the little of the service that it takes.
struct Fleet {
    profile: AutoUpgradeProfile,
    catalogue: Catalogue,
    published: u16,
    runs: BTreeMap<String, (UpdateState, Target)>,
    targets: BTreeMap<String, Vec<String>>,
    clusters: Vec<Cluster>,
}

fn now() -> Timestamp {
    at("2026-12-20T00:00:00Z")
}

impl Fleet {
    fn new(spec: ProfileSpec, minors: &[u16]) -> Self {
        let catalogue = Catalogue::built_in().clone();
        let profile = profile(spec);
        let seen = newest(&profile.spec, &catalogue, now());
        let cluster = |(n, minor): (usize, &u16)| {
            let mut cluster = Cluster::new(&format!("c{n}"));
            cluster.observed.control_plane = KubernetesVersion::new(1, *minor, 1);
            cluster.observed.pools[0].version = cluster.observed.control_plane;
            cluster
        };
        Self {
            profile: AutoUpgradeProfile { seen, ..profile },
            catalogue,
            published: 0,
            runs: BTreeMap::new(),
            targets: BTreeMap::new(),
            clusters: minors.iter().enumerate().map(cluster).collect(),
        }
    }

    fn happen(&mut self, happening: &Happening) {
        let newest_minor = self.catalogue.newest_minor(now()).unwrap();
        self.published += 1;
        let n = self.published;
        match happening {
            Happening::Patch(behind) => {
                let version = format!("1.{}.{}", newest_minor.minor - behind, 100 + n);
                self.publish(json!({ "kind": "KubernetesVersion", "version": version }));
            }
            Happening::NewMinor => {
                let version = format!("1.{}.0", newest_minor.minor + 1);
                self.publish(json!({ "kind": "KubernetesVersion", "version": version, "isPreview": false }));
            }
            Happening::Preview => {
                let version = format!("1.{}.0", newest_minor.minor + 1);
                self.publish(json!({ "kind": "KubernetesVersion", "version": version, "isPreview": true }));
            }
            Happening::Image => {
                self.publish(json!({ "kind": "NodeImage", "version": format!("{UBUNTU}-202701.{n}.0") }));
            }
            Happening::SecurityPatch => {
                self.publish(json!({ "kind": "SecurityPatch", "version": format!("{UBUNTU}-202701.{n}.1") }));
            }
            Happening::Look => self.look(),
            Happening::End(upgraded) => self.end(*upgraded),
            Happening::Toggle => {
                let disabled = Some(!self.profile.spec.is_disabled());
                let spec = ProfileSpec { disabled, ..self.profile.spec.clone() };
                let newest = newest(&spec, &self.catalogue, now());
                let system_data = self.profile.system_data.clone();
                self.profile = self.profile.clone().replaced(spec, newest, system_data);
            }
        }
    }

    fn publish(&mut self, item: Value) {
        let items: Vec<ReleaseItem> = vec![serde_json::from_value(item).unwrap()];
        let release = Release { id: uuid::Uuid::nil(), at: now(), items };
        self.catalogue = self.catalogue.with_releases(&[release]);
    }

    fn active(&self) -> Option<String> {
        self.runs.iter().find(|(_, (state, _))| *state == UpdateState::Running).map(|(name, _)| name.clone())
    }

    fn look(&mut self) {
        let newest = newest(&self.profile.spec, &self.catalogue, now());
        let news = news(&self.profile, &newest, &BTreeSet::from([UBUNTU.to_owned()]));
        if !self.profile.spec.is_disabled() {
            self.profile.seen = newest;
        }
        if let Some(Ok(target)) = news {
            self.trigger(&target);
        }
        let Some(waiting) = self.profile.waiting.clone() else { return };
        let state = self.runs.get(waiting.name()).map(|(state, _)| *state);
        let another = self.active().is_some_and(|active| active != waiting.name());
        match turn(self.profile.spec.is_disabled(), state, another) {
            Turn::Wait => return,
            Turn::Start => self.start(waiting.name()),
            Turn::Forget => {}
        }
        self.profile.waiting = None;
    }

    fn trigger(&mut self, target: &ChannelTarget) {
        let proposal = self.profile.proposal(target);
        let name = proposal.run.name().to_owned();
        let made = proposal.spec.target(proposal.origin, &self.catalogue, now()).unwrap();
        let active = self.active();
        let situation = Situation {
            run: &name,
            existing: self.runs.get(&name).map(|(state, _)| *state),
            active: active.as_deref(),
            has_work: self.clusters.iter().any(|cluster| self.request(cluster, &made).is_some()),
        };
        let decision = decide(situation);
        if let Some(before) = self.profile.waiting.take().filter(|waiting| waiting.name() != name) {
            self.runs.remove(before.name());
            self.targets.retain(|_, names| {
                names.retain(|other| other != before.name());
                true
            });
        }
        if matches!(decision, Decision::Start | Decision::Wait) && situation.existing.is_none() {
            self.runs.insert(name.clone(), (UpdateState::NotStarted, made));
            self.targets.entry(format!("{target:?}")).or_default().push(name.clone());
        }
        match decision {
            Decision::Start => self.start(&name),
            Decision::Wait => self.profile.waiting = Some(proposal.run),
            Decision::LeaveAlone | Decision::NothingToDo => {}
        }
    }

    fn start(&mut self, name: &str) {
        assert_eq!(self.active(), None, "one run at a time");
        let (state, _) = self.runs.get_mut(name).unwrap();
        assert_eq!(*state, UpdateState::NotStarted, "a run is started once");
        *state = UpdateState::Running;
    }

    fn request(
        &self,
        cluster: &Cluster,
        target: &Target,
    ) -> Option<crate::domain::observed_cluster::UpgradeRequest> {
        let seen = Seen::Cluster(cluster.observed.clone());
        match judge(target, &seen, &self.catalogue, now()) {
            Verdict::Start { request, .. } => Some(request),
            _ => None,
        }
    }

    /// The run under way has upgraded every cluster that it may.
    fn end(&mut self, upgraded: bool) {
        let Some(name) = self.active() else { return };
        let target = self.runs[&name].1.clone();
        let requests: Vec<_> =
            self.clusters.iter().map(|cluster| self.request(cluster, &target).filter(|_| upgraded)).collect();
        for (cluster, request) in self.clusters.iter_mut().zip(requests) {
            let Some(request) = request else { continue };
            let observed = &mut cluster.observed;
            if let Some(version) = request.control_plane {
                assert!(version > observed.control_plane, "never back");
                let ahead = minors_ahead(version.minor_version(), observed.control_plane.minor_version());
                assert!(ahead <= 1, "no minor is jumped");
                observed.control_plane = version;
            }
            for pool in request.pools {
                let old = observed.pools.iter_mut().find(|old| old.name == pool.name).unwrap();
                assert!(pool.version.is_none_or(|version| version > old.version), "never back");
                assert!(
                    pool.image.as_ref().is_none_or(|image| image.version > old.image.version),
                    "never back"
                );
                old.version = pool.version.unwrap_or(old.version);
                old.image = pool.image.unwrap_or_else(|| old.image.clone());
            }
        }
        let end = if upgraded { UpdateState::Completed } else { UpdateState::Failed };
        self.runs.get_mut(&name).unwrap().0 = end;
    }

    fn check(&self) {
        assert!(
            self.targets.values().all(|runs| runs.len() <= 1),
            "a target has one run: {:?}",
            self.targets
        );
        let of = |wanted: UpdateState| self.runs.values().filter(|(state, _)| *state == wanted).count();
        assert!(of(UpdateState::Running) <= 1, "one run at a time");
        assert!(of(UpdateState::NotStarted) <= 1, "only the newest target waits");
    }
}

proptest! {
    #[test]
    fn whatever_is_released_a_target_has_one_run_no_cluster_jumps_and_all_of_it_ends(
        spec in specs(),
        minors in prop::collection::vec(33_u16..38, 1..5),
        happenings in happenings(),
    ) {
        let mut fleet = Fleet::new(spec, &minors);
        for happening in &happenings {
            fleet.happen(happening);
            fleet.check();
        }
        if fleet.profile.spec.is_disabled() {
            fleet.happen(&Happening::Toggle);
        }
        for _ in 0..3 {
            fleet.look();
            fleet.end(true);
            fleet.check();
        }
        prop_assert_eq!(fleet.active(), None);
        prop_assert_eq!(&fleet.profile.waiting, &None);
        let unfinished = fleet.runs.values().any(|(state, _)| *state == UpdateState::NotStarted);
        prop_assert!(!unfinished, "nothing is left waiting");
    }
}
