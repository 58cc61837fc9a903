"""Maintenance configurations through the official SDK: all four kinds of schedule, and what does not belong together."""

import datetime

import pytest
from azure.core.exceptions import HttpResponseError
from azure.mgmt.containerservice.models import (
    AbsoluteMonthlySchedule,
    DailySchedule,
    DateSpan,
    MaintenanceConfiguration,
    MaintenanceWindow,
    RelativeMonthlySchedule,
    Schedule,
    WeeklySchedule,
)

AUTO_UPGRADE = "aksManagedAutoUpgradeSchedule"
NODE_OS = "aksManagedNodeOSUpgradeSchedule"
SCHEDULES = {
    "daily": Schedule(daily=DailySchedule(interval_days=3)),
    "weekly": Schedule(weekly=WeeklySchedule(interval_weeks=2, day_of_week="Saturday")),
    "absolute_monthly": Schedule(absolute_monthly=AbsoluteMonthlySchedule(interval_months=1, day_of_month=31)),
    "relative_monthly": Schedule(
        relative_monthly=RelativeMonthlySchedule(interval_months=2, week_index="Last", day_of_week="Monday")
    ),
}


@pytest.fixture
def windows(estate):
    """The operations of maintenance configurations; the cluster `it` is there."""
    estate.cluster("it")
    return estate.aks.maintenance_configurations


def window(schedule, **more):
    details = {"duration_hours": 8, "utc_offset": "+01:00", "start_time": "22:00", **more}
    return MaintenanceConfiguration(maintenance_window=MaintenanceWindow(schedule=schedule, **details))


def put(estate, windows, body, name=AUTO_UPGRADE):
    return windows.create_or_update(estate.group, "it", name, body)


@pytest.mark.parametrize("kind", list(SCHEDULES))
def test_every_kind_of_schedule_is_kept_as_sent(estate, windows, kind):
    put(estate, windows, window(SCHEDULES[kind]))
    found = windows.get(estate.group, "it", AUTO_UPGRADE).maintenance_window
    assert found.schedule.as_dict() == SCHEDULES[kind].as_dict()
    assert (found.duration_hours, found.utc_offset, found.start_time) == (8, "+01:00", "22:00")


def test_a_start_date_and_days_off_are_kept(estate, windows):
    days_off = DateSpan(start=datetime.date(2026, 12, 24), end=datetime.date(2027, 1, 1))
    body = window(SCHEDULES["daily"], start_date=datetime.date(2026, 12, 1), not_allowed_dates=[days_off])
    found = put(estate, windows, body, NODE_OS).maintenance_window
    assert found.start_date == datetime.date(2026, 12, 1)
    assert [(span.start, span.end) for span in found.not_allowed_dates] == [(days_off.start, days_off.end)]


@pytest.mark.parametrize(
    "name, body",
    [
        ("nightly", window(SCHEDULES["daily"])),
        (AUTO_UPGRADE, window(SCHEDULES["daily"], duration_hours=3)),
        (AUTO_UPGRADE, window(SCHEDULES["daily"], duration_hours=25)),
        (AUTO_UPGRADE, window(SCHEDULES["daily"], utc_offset="01:00")),
        (AUTO_UPGRADE, window(SCHEDULES["daily"], start_time="24:00")),
        (AUTO_UPGRADE, window(Schedule())),
        (AUTO_UPGRADE, window(Schedule(daily=DailySchedule(interval_days=0)))),
        (
            AUTO_UPGRADE,
            window(Schedule(daily=SCHEDULES["daily"].daily, weekly=SCHEDULES["weekly"].weekly)),
        ),
        ("default", window(SCHEDULES["daily"])),
    ],
    ids=["name", "too short", "too long", "offset", "time", "no schedule", "interval", "two schedules", "default"],
)
def test_what_does_not_belong_together_is_refused(estate, windows, name, body):
    with pytest.raises(HttpResponseError) as error:
        put(estate, windows, body, name)
    assert error.value.status_code == 400
    assert error.value.error.code and error.value.error.message
