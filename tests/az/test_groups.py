"""Signing in, resource groups, and what az asks about its surroundings."""


def test_az_signs_in_to_the_service_as_to_a_cloud(service, az):
    account = service.accounts[0]
    assert (account["user"]["name"], account["state"]) == ("systemAssignedIdentity", "Enabled")
    assert az("cloud show")["endpoints"]["resourceManager"] == service.url
    assert az("account show")["tenantId"] == account["tenantId"]
    assert "westeurope" in [region["name"] for region in az("account list-locations")]
    az("provider register -n Microsoft.ContainerService")
    assert az("provider show -n Microsoft.ContainerService")["registrationState"] == "Registered"


def test_groups_are_made_changed_and_deleted(az, group):
    assert az(f"group create -n {group} -l westeurope --tags a=b")["tags"] == {"a": "b"}
    assert az(f"group update -n {group} --set tags.c=d")["tags"] == {"a": "b", "c": "d"}
    assert az(f"group show -n {group}")["location"] == "westeurope"
    assert group in [found["name"] for found in az("group list")]
    assert az(f"group exists -n {group}") is True
    az(f"group delete -n {group} --yes")
    assert az(f"group exists -n {group}") is False
    assert "ResourceGroupNotFound" in az.refused(f"group show -n {group}")
