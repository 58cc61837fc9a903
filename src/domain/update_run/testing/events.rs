//! What an [`Event`] does to a [`World`].

use std::collections::BTreeMap;

use super::cluster::Cluster;
use super::{Event, World};
use crate::domain::catalogue::Release;
use crate::domain::ids;
use crate::domain::node_image::NodeImage;
use crate::domain::refusal::Refusal;
use crate::domain::time::Timestamp;
use crate::domain::update_run::command::{self, Changes};
use crate::domain::update_run::skip;
use crate::domain::update_run::state::UpdateState;
use crate::domain::update_run::target::{ImageSelection, consistent_images};

impl World {
    /// Carries out an event; the run is not looked at yet.
    pub(super) fn apply(&mut self, event: Event) -> Result<Changes, Refusal> {
        match event {
            Event::Start => {
                let images = self.consistent_images();
                return command::start(&mut self.run, &images, self.now);
            }
            Event::Stop => return command::stop(&mut self.run),
            Event::Skip(targets) => return skip::skip(&mut self.run, &targets, self.now),
            Event::Approve(gates) => return self.complete_gates(gates),
            Event::Publish(items) => {
                let release = Release { id: ids::derived("a release"), at: self.now, items };
                self.catalogue = self.catalogue.with_releases([&release]);
                self.releases += 1;
            }
            Event::Power(name, power) => self.change(&name, |cluster, _| cluster.observed.power = power),
            Event::Leave(name) => self.change(&name, |cluster, _| cluster.left = true),
            Event::Delete(name) => self.change(&name, |cluster, now| {
                cluster.deleted = true;
                cluster.cut_short("OperationCanceled", "The cluster was deleted.", now);
            }),
            Event::Abort(name) => self.change(&name, |cluster, now| {
                cluster.cut_short("OperationAborted", "The operation was aborted.", now);
            }),
            Event::Busy(name, span) => self.change(&name, |cluster, now| {
                if cluster.next_end().is_none() && !cluster.hangs {
                    cluster.other_operation = Some(span.map(|span| now + span));
                }
            }),
            Event::Window(name, window) => self.change(&name, |cluster, _| {
                cluster.observed.auto_upgrade_window.clone_from(&window);
                cluster.observed.node_os_window = window;
            }),
        }
        Ok(Changes::default())
    }

    fn change(&mut self, name: &str, change: impl FnOnce(&mut Cluster, Timestamp)) {
        let n = self.by_name[name];
        change(&mut self.clusters[n], self.now);
        self.touch(n);
        let window = self.window_of(name);
        for ordinal in self.touched.clone() {
            if self.run.member(ordinal).name == name {
                self.windows.set(ordinal, window.clone(), self.now);
            }
        }
    }

    fn complete_gates(&mut self, gates: usize) -> Result<Changes, Refusal> {
        let pending = self.run.gates().filter(|(_, gate)| gate.status.state == UpdateState::Pending);
        let pending: Vec<_> =
            pending.filter_map(|(place, gate)| Some((place, gate.id?))).take(gates).collect();
        for (_, gate) in &pending {
            command::complete_gate(&mut self.run, *gate, self.now)?;
        }
        Ok(Changes { gates: pending.into_iter().map(|(place, _)| place).collect(), ..Changes::default() })
    }

    fn consistent_images(&self) -> BTreeMap<String, NodeImage> {
        match self.run.target.images {
            ImageSelection::Consistent { .. } => {
                let clusters = self.clusters.iter().filter(|cluster| !cluster.deleted && !cluster.left);
                consistent_images(&self.catalogue, clusters.map(|cluster| &cluster.observed), self.now)
            }
            _ => BTreeMap::new(),
        }
    }
}
