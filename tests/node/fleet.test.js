/** Every operation of every group of the SDK. */

import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";

import { Estate, FLEET, LOCATION, pages } from "./estate.js";
import { Recording } from "./recording.js";
import { Service } from "./service.js";

const STALE = '"00000000-0000-0000-0000-000000000000"';
const recording = new Recording();
let service, estate, group;

before(async () => {
  service = await new Service().start();
});

beforeEach(() => {
  estate = new Estate(service, recording);
  group = estate.group;
});

after(async () => {
  recording.write(process.env.OPERATIONS_RECORD);
  await service?.stop();
});

/** Checks that a call is refused with this status and code. */
function refused(answer, statusCode, code) {
  return assert.rejects(answer, { name: "RestError", statusCode, code });
}

/** Checks that a call, given its condition, is refused under a stale eTag; its outcome under the current one. */
async function byEtag(resource, call) {
  await refused(call({ ifMatch: STALE }).pollUntilDone(), 412, "PreconditionFailed");
  return call({ ifMatch: resource.eTag }).pollUntilDone();
}

test("a fleet is made, read, patched and deleted", async () => {
  const { fleets } = estate.client;
  const made = await estate.fleet({ ifNoneMatch: "*" });
  assert.deepEqual([made.name, made.location, made.properties.provisioningState], [FLEET, LOCATION, "Succeeded"]);
  assert.deepEqual(await fleets.get(group, FLEET), made);
  await refused(estate.fleet({ ifNoneMatch: "*" }), 412, "PreconditionFailed");
  const again = await byEtag(made, (condition) => fleets.create(group, FLEET, { location: LOCATION }, condition));
  const tags = { team: "shop" };
  const patched = await byEtag(again, (condition) => fleets.updateAsync(group, FLEET, { tags }, condition));
  assert.deepEqual([patched.tags, patched.id], [tags, made.id]);
  await byEtag(patched, (condition) => fleets.delete(group, FLEET, condition));
  await refused(fleets.get(group, FLEET), 404, "ResourceNotFound");
});

test("fleets are listed by group and by subscription", async () => {
  const { fleets } = estate.client;
  for (const name of ["a", "b", "c"]) await fleets.create(group, name, { location: LOCATION }).pollUntilDone();
  assert.deepEqual(await pages(() => fleets.listByResourceGroup(group)), [["a", "b"], ["c"]]);
  assert.deepEqual(await pages(() => fleets.listBySubscription()), [["a", "b"], ["c"]]);
});

test("a hub has credentials and a hubless fleet has none", async () => {
  const { fleets } = estate.client;
  await estate.fleet();
  await refused(fleets.listCredentials(group, FLEET), 400, "HubProfileRequired");
  const body = { location: LOCATION, properties: { hubProfile: { dnsPrefix: "hub" } } };
  const hub = await fleets.create(group, "hub", body).pollUntilDone();
  const { kubeconfigs } = await fleets.listCredentials(group, "hub");
  assert.match(Buffer.from(kubeconfigs[0].value).toString(), new RegExp(hub.properties.hubProfile.fqdn));
});

test("a member joins, is read, patched and leaves", async () => {
  const { fleetMembers } = estate.client;
  await estate.fleet();
  await estate.clusters(1, { fleet: null });
  const clusterResourceId = estate.path("managedClusters/m-0");
  const body = { properties: { clusterResourceId, group: "canary" } };
  const made = await fleetMembers.create(group, FLEET, "it", body, { ifNoneMatch: "*" }).pollUntilDone();
  assert.deepEqual([made.name, made.properties.group], ["it", "canary"]);
  assert.equal(made.properties.clusterResourceId, clusterResourceId);
  assert.deepEqual(await fleetMembers.get(group, FLEET, "it"), made);
  const again = await byEtag(made, (condition) => fleetMembers.create(group, FLEET, "it", body, condition));
  const patch = { properties: { group: "prod" } };
  const patched = await byEtag(again, (condition) => fleetMembers.updateAsync(group, FLEET, "it", patch, condition));
  assert.equal(patched.properties.group, "prod");
  await byEtag(patched, (condition) => fleetMembers.delete(group, FLEET, "it", condition));
  await refused(fleetMembers.get(group, FLEET, "it"), 404, "ResourceNotFound");
});

test("members are listed page by page", async () => {
  await estate.fleet();
  await estate.clusters(5);
  const listed = await pages(() => estate.client.fleetMembers.listByFleet(group, FLEET));
  assert.deepEqual(listed, [["m-0", "m-1"], ["m-2", "m-3"], ["m-4"]]);
});

/** A strategy of the groups, one after the other. */
function strategy(...groups) {
  return { properties: { strategy: { stages: groups.map((name) => ({ name, groups: [{ name }] })) } } };
}

test("a strategy is made, read, replaced, listed and deleted", async () => {
  const { fleetUpdateStrategies: strategies } = estate.client;
  await estate.fleet();
  const put = (name, body, options) => strategies.createOrUpdate(group, FLEET, name, body, options).pollUntilDone();
  const made = await put("a", strategy("canary", "prod"), { ifNoneMatch: "*" });
  assert.deepEqual(made.properties.strategy.stages.map(({ name }) => name), ["canary", "prod"]);
  assert.deepEqual(await strategies.get(group, FLEET, "a"), made);
  const replaced = await byEtag(made, (condition) =>
    strategies.createOrUpdate(group, FLEET, "a", strategy("all"), condition),
  );
  assert.deepEqual(replaced.properties.strategy.stages.map(({ name }) => name), ["all"]);
  for (const name of ["b", "c"]) await put(name, strategy("all"));
  assert.deepEqual(await pages(() => strategies.listByFleet(group, FLEET)), [["a", "b"], ["c"]]);
  await byEtag(replaced, (condition) => strategies.delete(group, FLEET, "a", condition));
  await refused(strategies.get(group, FLEET, "a"), 404, "ResourceNotFound");
});

/** The state of each member of a run. */
function states(run) {
  const members = run.properties.status.stages.flatMap((stage) => stage.groups.flatMap((found) => found.members));
  return Object.fromEntries(members.map((member) => [member.name, member.status.state]));
}

test("a run is made, started, stopped, skipped, listed and deleted", async () => {
  const { updateRuns, fleetUpdateStrategies } = estate.client;
  await estate.fleet();
  await estate.clusters(2, { groups: ["canary", "prod"] });
  const rings = fleetUpdateStrategies.createOrUpdate(group, FLEET, "rings", strategy("canary", "prod"));
  const { id: updateStrategyId } = await rings.pollUntilDone();
  const upgrade = { type: "Full", kubernetesVersion: "1.36" };
  const body = { properties: { updateStrategyId, managedClusterUpdate: { upgrade } } };
  const made = await updateRuns.createOrUpdate(group, FLEET, "a", body, { ifNoneMatch: "*" }).pollUntilDone();
  assert.deepEqual(states(made), { "m-0": "NotStarted", "m-1": "NotStarted" });
  assert.deepEqual(await updateRuns.get(group, FLEET, "a"), made);
  const again = await byEtag(made, (condition) => updateRuns.createOrUpdate(group, FLEET, "a", body, condition));

  const started = await byEtag(again, (condition) => updateRuns.start(group, FLEET, "a", condition));
  assert.deepEqual(states(started), { "m-0": "Running", "m-1": "NotStarted" });
  // Until the cluster's upgrade has really begun, a stop takes the decision to begin it back.
  await service.advance("PT1S");
  const running = await updateRuns.get(group, FLEET, "a");
  const stopping = await byEtag(running, (condition) => updateRuns.stop(group, FLEET, "a", condition));
  assert.equal(stopping.properties.status.status.state, "Stopping");
  await service.advance("PT1H");
  const stopped = await updateRuns.get(group, FLEET, "a");
  const targets = [{ type: "Member", name: "m-1" }];
  const skipped = await byEtag(stopped, (condition) => updateRuns.skip(group, FLEET, "a", { targets }, condition));
  assert.deepEqual(states(skipped), { "m-0": "Completed", "m-1": "Skipped" });

  for (const name of ["b", "c"]) await updateRuns.createOrUpdate(group, FLEET, name, body).pollUntilDone();
  assert.deepEqual(await pages(() => updateRuns.listByFleet(group, FLEET)), [["a", "b"], ["c"]]);
  await byEtag(skipped, (condition) => updateRuns.delete(group, FLEET, "a", condition));
  await refused(updateRuns.get(group, FLEET, "a"), 404, "ResourceNotFound");
});

test("a profile is made, asked for a run, replaced, listed and deleted", async () => {
  const { autoUpgradeProfiles: profiles, autoUpgradeProfileOperations, updateRuns } = estate.client;
  await estate.fleet();
  await estate.clusters(1);
  const body = { properties: { channel: "Stable", disabled: true } };
  const made = await profiles.createOrUpdate(group, FLEET, "a", body, { ifNoneMatch: "*" }).pollUntilDone();
  assert.deepEqual([made.properties.channel, made.properties.disabled], ["Stable", true]);
  assert.deepEqual(await profiles.get(group, FLEET, "a"), made);
  const { id } = await autoUpgradeProfileOperations.generateUpdateRun(group, FLEET, "a").pollUntilDone();
  const run = await updateRuns.get(group, FLEET, id.split("/").at(-1));
  assert.deepEqual([run.id, run.properties.autoUpgradeProfileId], [id, made.id]);

  const seen = await profiles.get(group, FLEET, "a");
  const node = { properties: { channel: "NodeImage" } };
  const replaced = await byEtag(seen, (condition) => profiles.createOrUpdate(group, FLEET, "a", node, condition));
  assert.equal(replaced.properties.channel, "NodeImage");
  for (const name of ["b", "c"]) await profiles.createOrUpdate(group, FLEET, name, body).pollUntilDone();
  assert.deepEqual(await pages(() => profiles.listByFleet(group, FLEET)), [["a", "b"], ["c"]]);
  await byEtag(replaced, (condition) => profiles.delete(group, FLEET, "a", condition));
  await refused(profiles.get(group, FLEET, "a"), 404, "ResourceNotFound");
});

test("every action of the provider has a name and a text for people", async () => {
  const found = new Map();
  for await (const operation of estate.client.operations.list()) found.set(operation.name, operation.display);
  const start = found.get("Microsoft.ContainerService/fleets/updateRuns/start/action");
  assert.ok(start.provider && start.resource && start.description);
});
