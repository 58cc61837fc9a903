/** Long-running operations on a clock that stands still: what pollers tell before and after. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { restorePoller } from "@azure/arm-containerservicefleet";

import { Estate, FLEET, LOCATION } from "./estate.js";
import { Service } from "./service.js";

let service;

before(async () => {
  service = await new Service("--operation-durations", "simulated").start();
});

after(() => service?.stop());

/** The result by a second poller, made from the first one's state before the clock moved. */
async function resumed(estate, poller) {
  await poller.submitted();
  assert.equal(poller.isDone, false);
  const state = await poller.serialize();
  await service.advance("PT10M");
  return restorePoller(estate.client, state).pollUntilDone();
}

test("a fleet is made and deleted in its time", async () => {
  const estate = new Estate(service);
  const { fleets } = estate.client;
  const made = await resumed(estate, fleets.create(estate.group, FLEET, { location: LOCATION }));
  assert.deepEqual([made.name, made.properties.provisioningState], [FLEET, "Succeeded"]);
  await resumed(estate, fleets.delete(estate.group, FLEET));
  await assert.rejects(fleets.get(estate.group, FLEET), { statusCode: 404 });
});

test("a poller waits for the end", async () => {
  const estate = new Estate(service);
  const poller = estate.client.fleets.create(estate.group, FLEET, { location: LOCATION });
  assert.equal((await poller.poll()).status, "running");
  await service.advance("PT1M");
  assert.equal((await poller.pollUntilDone()).properties.provisioningState, "Succeeded");
  assert.equal(poller.operationState.status, "succeeded");
});

test("meanwhile no other write is taken", async () => {
  const estate = new Estate(service);
  const begin = () => estate.client.fleets.create(estate.group, FLEET, { location: LOCATION });
  await begin().submitted();
  await assert.rejects(begin().submitted(), { statusCode: 409, code: "OperationNotAllowed" });
});
