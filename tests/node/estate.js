/** A resource group of one test's own, and a client of it. */

import { randomUUID } from "node:crypto";
import { ContainerServiceFleetClient } from "@azure/arm-containerservicefleet";

export const LOCATION = "westeurope";
export const FLEET = "estate";
/** The size of a list's pages. */
export const PAGE = 2;

/** The SDK's own policy refuses to send a token without TLS; on loopback there is none. */
const WITHOUT_TLS = "bearerTokenAuthenticationPolicy";

/** The SDK has no parameter for the size of pages, the contract has: `$top`. */
const smallPages = {
  name: "smallPages",
  sendRequest(request, next) {
    const url = new URL(request.url);
    if (request.method === "GET" && !url.searchParams.has("$top")) {
      url.searchParams.set("$top", PAGE);
      request.url = url.href;
    }
    return next(request);
  },
};

export class Estate {
  /** `recording`, where there is one, sees what the client does. */
  constructor(service, recording) {
    this.service = service;
    this.subscription = randomUUID();
    this.group = `rg-${this.subscription.slice(0, 8)}`;
    const credential = { getToken: async () => ({ token: "none", expiresOnTimestamp: Date.now() + 3_600_000 }) };
    const client = new ContainerServiceFleetClient(credential, this.subscription, {
      endpoint: service.url,
      allowInsecureConnection: true,
      // A retry would hide an answer that should not have been given.
      retryOptions: { maxRetries: 0 },
    });
    client.pipeline.removePolicy({ name: WITHOUT_TLS });
    client.pipeline.addPolicy(smallPages);
    this.client = recording?.of(client) ?? client;
  }

  path(rest) {
    return `/subscriptions/${this.subscription}/resourceGroups/${this.group}/providers/Microsoft.ContainerService/${rest}`;
  }

  fleet(options) {
    return this.client.fleets.create(this.group, FLEET, { location: LOCATION }, options).pollUntilDone();
  }

  /** Clusters m-0, m-1 … of an older version; members of the fleet by default. */
  async clusters(count, { fleet = FLEET, groups } = {}) {
    await this.service.simulator("/clusters", {
      subscriptionId: this.subscription,
      resourceGroup: this.group,
      namePrefix: "m-",
      count,
      regions: [LOCATION],
      kubernetesVersion: "1.35",
      fleet,
      groups,
    });
  }
}

/** The names of a list's items, page by page; the second walk begins where the first page's token leads. */
export async function pages(list) {
  const first = (await list().byPage().next()).value;
  const names = [first.map((item) => item.name)];
  for await (const page of list().byPage({ continuationToken: first.continuationToken })) {
    names.push(page.map((item) => item.name));
  }
  return names;
}
