"""The official SDKs' clients, pointed at a service on loopback."""

import base64
import json
import time

from azure.core.credentials import AccessToken
from azure.core.pipeline.policies import SansIOHTTPPolicy
from azure.mgmt.containerservice import ContainerServiceClient
from azure.mgmt.containerservicefleet import ContainerServiceFleetMgmtClient

PRINCIPAL = "casey@example.com"


def _segment(value):
    return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()


def token(principal=PRINCIPAL):
    """An unsigned JSON Web Token that names the principal."""
    return ".".join([_segment({"alg": "none", "typ": "JWT"}), _segment({"upn": principal}), "c2lnbmF0dXJl"])


class Credential:
    """A credential that needs no directory."""

    def get_token(self, *scopes, **options):
        return AccessToken(token(), int(time.time()) + 3600)


class BearerOverPlainHttp(SansIOHTTPPolicy):
    """The SDKs' own policy refuses to send a token without TLS; on loopback there is none."""

    def on_request(self, request):
        request.http_request.headers["Authorization"] = f"Bearer {token()}"


def connect(kind, service, subscription):
    """A client of this kind, plain or asynchronous."""
    return kind(
        Credential(),
        subscription,
        base_url=service.url,
        authentication_policy=BearerOverPlainHttp(),
        polling_interval=0,
        # A retry would hide an answer that should not have been given.
        retry_total=0,
    )


def fleet_client(service, subscription):
    """Fleets and what belongs to them."""
    return connect(ContainerServiceFleetMgmtClient, service, subscription)


def aks_client(service, subscription):
    """Managed clusters and agent pools."""
    return connect(ContainerServiceClient, service, subscription)
