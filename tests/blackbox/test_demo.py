"""The demonstration, as its output reads where there is no terminal."""

import subprocess

import pytest

from service import BINARY


def show(folder, *arguments):
    """What the demonstration writes; it must end well and leave nothing behind."""
    command = [BINARY, "demo", *arguments]
    shown = subprocess.run(
        command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60
    )
    assert shown.returncode == 0, shown.stderr
    assert "\x1b" not in shown.stdout, "no terminal, no escapes"
    assert "curl" in shown.stdout, "the commands to follow along"
    assert list(folder.iterdir()) == [], "the store is temporary"
    return shown.stdout


@pytest.mark.parametrize(
    "scenario, ended, counted",
    [
        ([], "Completed", "24 members completed, 0 failed, 0 skipped."),
        (["--scenario", "enterprise"], "Completed", "372 members completed, 6 failed, 14 skipped."),
        (["--scenario", "worst-day"], "Failed", "30 members completed, 6 failed, 1 skipped, 11 not started."),
    ],
)
def test_a_run_ends_by_itself_in_under_a_minute_with_a_summary(tmp_path, scenario, ended, counted):
    shown = show(tmp_path, *scenario)
    for stage in ("canary", "early", "prod"):
        assert stage in shown
    assert f"The run is {ended}: {counted}" in shown


def test_a_month_of_releases_goes_by_in_under_a_minute(tmp_path):
    shown = show(tmp_path, "--scenario", "autoupgrade")
    for version in ("1-36-5", "1-36-6", "1-37-"):
        assert f"auto-stable-stable-{version}" in shown
    assert "3 of them completed" in shown
