/** The real binary as a process: started on a free port, asked over HTTP, ended by a signal. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

const BINARY = process.env.FLEETPLANE_BINARY ?? "target/debug/fleetplane";
/** Looks at /readyz, 50 ms apart, before giving up. */
const ATTEMPTS = 400;

async function freePort() {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address();
  probe.close();
  return port;
}

/** A `fleetplane serve` on a manual clock, with its store in memory. `settings` are further flags. */
export class Service {
  constructor(...settings) {
    this.settings = settings;
  }

  async start() {
    const address = `127.0.0.1:${await freePort()}`;
    this.url = `http://${address}`;
    const flags = ["--listen", address, "--database-url", "sqlite::memory:", "--clock", "manual"];
    this.process = spawn(BINARY, ["serve", ...flags, ...this.settings], { stdio: ["ignore", "ignore", "pipe"] });
    this.output = "";
    this.process.stderr.on("data", (text) => (this.output += text));
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      if (this.process.exitCode !== null) break;
      const ready = await fetch(`${this.url}/readyz`).catch(() => undefined);
      if (ready?.ok) return this;
      await pause(50);
    }
    this.process.kill("SIGKILL");
    throw new Error(`not ready in time\n${this.output}`);
  }

  async stop() {
    const ended = once(this.process, "exit");
    this.process.kill("SIGTERM");
    const [code] = await ended;
    if (code !== 0) throw new Error(`exit code ${code}\n${this.output}`);
  }

  /** A call of the simulator's API, which must succeed. */
  async simulator(path, body) {
    const headers = { "Content-Type": "application/json" };
    const answer = await fetch(`${this.url}/simulator${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`/simulator${path}: ${answer.status} ${await answer.text()}`);
  }

  /** Moves the clock; all that falls due meanwhile is done on return. */
  advance(by) {
    return this.simulator("/clock/advance", { by });
  }
}
