"""Pollers of operations that are under way."""


def resumed(estate, begin, *arguments):
    """The result by a second poller, made from the first one's token before the clock moved."""
    first = begin(*arguments)
    assert (first.status(), first.done()) == ("InProgress", False)
    token = first.continuation_token()
    estate.service.advance("PT10M")
    return begin(*arguments, continuation_token=token).result()
