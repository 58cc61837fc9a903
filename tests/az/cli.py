"""The real `az`: as a program where it signs in, else inside this process, which saves its start each time."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path

#: Beside this interpreter, in the same virtual environment.
PROGRAM = Path(sys.executable).parent / "az"


def program(*words):
    """Runs `az` as a user does; it must succeed. Returns what it prints, read as JSON."""
    done = subprocess.run([PROGRAM, *words, "--output", "json"], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, f"az {' '.join(words)}: exit code {done.returncode}\n{done.stdout}{done.stderr}"
    return json.loads(done.stdout) if done.stdout.strip() else None


class Az:
    """`az` inside this process, and a note of the commands that succeeded."""

    def __init__(self):
        self.succeeded = set()
        self._cli = None

    def __call__(self, line, *words):
        """Runs the command in `line`, with further `words` that may contain blanks; it must succeed."""
        code, result, error = self._run(line, words)
        assert code == 0, f"az {line} {words}: exit code {code}\n{error!r}"
        return result

    def refused(self, line, *words):
        """Runs a command that must fail; returns why it did."""
        code, result, error = self._run(line, words)
        assert code != 0, f"az {line} {words} succeeded with {result}"
        return str(error)

    def commands(self, group):
        """The names of all commands of a group."""
        loader = self._cli.invocation.commands_loader
        loader.load_command_table([group])
        return {name for name in loader.command_table if name.startswith(f"{group} ")}

    def _run(self, line, words):
        from azure.cli.core import get_default_cli

        self._cli = get_default_cli()
        printed = io.StringIO()
        try:
            code = self._cli.invoke([*line.split(), *words, "--output", "json"], out_file=printed)
            error = self._cli.result.error
        except SystemExit as exit:
            code, error = exit.code, exit.__context__ or exit
        if code == 0:
            self.succeeded.add(self._cli.data["command"])
        text = printed.getvalue()
        return code, json.loads(text) if text.strip() else None, error


def prepare(folder, authority):
    """Gives `az` a home in `folder`, trust in the `authority`, and nothing of the machine's own settings."""
    for name in [name for name in os.environ if name.startswith("AZURE_")]:
        del os.environ[name]
    os.environ |= {
        "HOME": str(folder),
        "AZURE_CONFIG_DIR": str(folder / "config"),
        "AZURE_EXTENSION_DIR": str(folder / "extensions"),
        "AZURE_EXTENSION_USE_DYNAMIC_INSTALL": "no",
        "AZURE_CORE_COLLECT_TELEMETRY": "no",
        "REQUESTS_CA_BUNDLE": str(authority / "ca.pem"),
        "IDENTITY_HEADER": "any",
        "NO_PROXY": "127.0.0.1",
    }
    (folder / "extensions").mkdir()


def add_extension(folder, name, source):
    """Installs an extension whose code stays where it is: az looks for the package and its metadata."""
    home = folder / "extensions" / name
    home.mkdir()
    package = f"azext_{name}"
    (home / package).symlink_to(source.resolve() / package)
    version = json.loads((source / package / "azext_metadata.json").read_text())["version"]
    metadata = home / f"{name}-{version}.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")


def sign_in(cloud, url):
    """Makes the service at `url` a cloud of this name, and signs in with its development identity."""
    os.environ["IDENTITY_ENDPOINT"] = f"{url}/dev/identity/token"
    program("cloud", "register", "--name", cloud, "--endpoint-resource-manager", url)
    program("cloud", "set", "--name", cloud)
    return program("login", "--identity")
