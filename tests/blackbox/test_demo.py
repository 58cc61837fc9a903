"""The demonstration, as its output reads where there is no terminal."""

import subprocess

from service import BINARY


def test_the_demo_ends_by_itself_in_under_a_minute_with_a_summary(tmp_path):
    shown = subprocess.run(
        [BINARY, "demo"], cwd=tmp_path, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60
    )
    assert shown.returncode == 0, shown.stderr
    assert "\x1b" not in shown.stdout, "no terminal, no escapes"
    assert "curl" in shown.stdout, "the commands to follow along"
    for stage in ("canary", "early", "prod"):
        assert stage in shown.stdout
    assert "Completed" in shown.stdout
    assert list(tmp_path.iterdir()) == [], "the store is temporary"
