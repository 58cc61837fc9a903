"""Every operation of the official Python SDKs, driven by their plain and their asynchronous clients alike.

A scenario is written once, in plain code; the fixture `estate` gives it either client (`driver`). What each client was
seen to do is recorded on the way (`coverage`), so that an operation without a scenario fails the run. A new operation
of an SDK needs a scenario in the file of its operations group, or a reason in `aks/not_served.py`.
"""

import pytest

pytest.register_assert_rewrite(f"{__name__}.sweep")
