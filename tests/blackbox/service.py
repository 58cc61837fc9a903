"""The real binary as a process: started on a free port, asked over HTTP, ended by a signal."""

import os
import signal
import socket
import subprocess

import requests

BINARY = os.environ.get("FLEETPLANE_BINARY", "target/debug/fleetplane")
#: Looks at /readyz, 50 ms apart, before giving up; start-up includes the migrations.
ATTEMPTS = 400


def free_port():
    """A loopback port nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Service:
    """A `fleetplane serve`, on a manual clock and with operations that take no time unless told otherwise.

    `settings` are further flags; `tls` is the folder of an authority for HTTPS, without which it is plain HTTP.
    """

    def __init__(self, database_url, log, *settings, clock="manual", durations="zero", tls=None):
        self.database_url = database_url
        self.log = log
        self.settings = settings
        self.clock = clock
        self.durations = durations
        self.tls = tls
        self.process = None
        self.url = None

    def launch(self):
        """Starts the process without waiting for it."""
        port = free_port()
        self.url = f"{'https' if self.tls else 'http'}://127.0.0.1:{port}"
        command = [BINARY, "serve", "--listen", f"127.0.0.1:{port}", "--database-url", self.database_url]
        command += ["--clock", self.clock, "--operation-durations", self.durations, *self.settings]
        if self.tls:
            command += ["--tls-self-signed", str(self.tls)]
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        return self

    def start(self):
        """Starts the process and waits until it is ready."""
        self.launch()
        for _ in range(ATTEMPTS):
            if self._ready():
                return self
            try:
                code = self.process.wait(timeout=0.05)
            except subprocess.TimeoutExpired:
                continue
            raise AssertionError(f"ended with exit code {code} before it was ready\n{self.output()}")
        self.kill()
        raise AssertionError(f"not ready in time\n{self.output()}")

    def _ready(self):
        try:
            return self.call("GET", "/readyz").ok
        except OSError:  # no connection, or no authority yet
            return False

    def stop(self):
        """Ends it as an operator would; it must go by itself, in time, with exit code 0."""
        self.process.send_signal(signal.SIGTERM)
        try:
            code = self.process.wait(timeout=10)
        except subprocess.TimeoutExpired as error:
            self.kill()
            raise AssertionError(f"still running ten seconds after SIGTERM\n{self.output()}") from error
        assert code == 0, f"exit code {code}\n{self.output()}"

    def kill(self):
        """Ends it as a power cut would."""
        self.process.kill()
        self.process.wait()

    def running(self):
        """Whether the process is there."""
        return self.process is not None and self.process.poll() is None

    def output(self):
        """What it has written so far."""
        return self.log.read_text(errors="replace")

    def call(self, method, path, **options):
        """A plain request; `path` starts with a slash."""
        trusted = str(self.tls / "ca.pem") if self.tls else None
        return requests.request(method, self.url + path, timeout=60, verify=trusted, **options)

    def simulator(self, method, path, body=None):
        """A call of the simulator's API, which must succeed; returns its answer, None where it has no body."""
        answer = self.call(method, f"/simulator{path}", json=body)
        assert answer.ok, f"{method} /simulator{path}: {answer.status_code} {answer.text}"
        return answer.json() if answer.content else None

    def advance(self, by):
        """Moves the clock by an ISO 8601 duration; all that falls due meanwhile is done on return."""
        return self.simulator("POST", "/clock/advance", {"by": by})
