/**
 * What the client's operations were seen to do, in the form of the Python tests' records: an operation is covered when
 * it succeeded, a poller when it gave its result, a list when it was walked to its end.
 */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const PACKAGE = new URL(import.meta.resolve("@azure/arm-containerservicefleet/package.json"));

/** The operations groups of a client: what it has that holds nothing but functions. */
function groups(client) {
  const isGroup = ([name, value]) =>
    !name.startsWith("_") &&
    name !== "pipeline" &&
    Object.values(value).every((member) => typeof member === "function");
  return Object.entries(client).filter(isGroup);
}

async function* toTheEnd(items, done) {
  yield* items;
  done();
}

/** The answer of an operation, which tells when it has succeeded. */
function watched(answer, done) {
  if (answer.pollUntilDone) {
    const pollUntilDone = async () => {
      const result = await answer.pollUntilDone();
      done();
      return result;
    };
    return { pollUntilDone };
  }
  if (answer.byPage) {
    const byPage = (settings) => toTheEnd(answer.byPage(settings), done);
    return { byPage, [Symbol.asyncIterator]: () => toTheEnd(answer, done) };
  }
  return answer.then((result) => {
    done();
    return result;
  });
}

/** A client's operations groups, and the record of what they were seen to do. */
export class Recording {
  constructor() {
    this.verdicts = {};
  }

  of(client) {
    const recorded = {};
    for (const [group, operations] of groups(client)) {
      recorded[group] = {};
      for (const [name, operation] of Object.entries(operations)) {
        const full = `${group}.${name}`;
        this.verdicts[full] ??= "MISSING";
        recorded[group][name] = (...given) => watched(operation(...given), () => (this.verdicts[full] = "yes"));
      }
    }
    return recorded;
  }

  /** Leaves the record in a folder, where there is one. */
  write(folder) {
    if (!folder) return;
    const { version } = JSON.parse(readFileSync(PACKAGE));
    writeFileSync(join(folder, `fleet ${version} node.json`), JSON.stringify(this.verdicts, null, 1));
  }
}
