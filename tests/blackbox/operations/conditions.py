"""eTag conditions in the SDKs' terms."""

from azure.core import MatchConditions

STALE = '"00000000-0000-0000-0000-000000000000"'
#: Only where there is something, only where there is nothing.
PRESENT = {"match_condition": MatchConditions.IfPresent}
MISSING = {"match_condition": MatchConditions.IfMissing}


def unchanged(resource):
    """Only while the resource is as it was seen here."""
    return {"etag": resource.e_tag, "match_condition": MatchConditions.IfNotModified}
