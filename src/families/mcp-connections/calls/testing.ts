import type { McpContact, McpDependencies, McpListing } from '../../../ports/mcp/mcpClient.ts';
import type { Deadline } from '../../../ports/platform/clock.ts';
import type { Target } from '../../../resources/target.ts';
import type { McpConnections } from '../kind.ts';
import type { McpStored } from '../records.ts';
import { TokenRefresher } from '../tokens/refresh.ts';
import { type Renewal, savedRenewal } from '../tokens/renewal.ts';
import { callServer, discoveredFields, failedContact, failedListing, type Outcome } from './contact.ts';

/** Connects to the server, and stores the result on a saved record. */
export async function testServer(
  connections: McpConnections,
  deps: McpDependencies,
  target: Target<McpStored>,
  outer?: Deadline,
): Promise<Outcome<McpContact>> {
  const outcome = await callServer(
    deps.client,
    renewalOf(connections, deps),
    target,
    (client, access, deadline) => client.probe(access, deadline),
    failedContact,
    outer,
  );
  const { contact, elapsedMs } = outcome;
  await connections.recordTest(target, elapsedMs, contact.error, (record) =>
    isStillAt(record, target) ? discoveredFields(record, contact) : {},
  );
  return outcome;
}

/** All tools of the server. */
export function listTools(
  connections: McpConnections,
  deps: McpDependencies,
  target: Target<McpStored>,
  outer?: Deadline,
): Promise<Outcome<McpListing>> {
  return callServer(
    deps.client,
    renewalOf(connections, deps),
    target,
    (client, access, deadline) => client.listTools(access, deadline),
    failedListing,
    outer,
  );
}

/** Results of one server must not be stored after the connection was moved to another. */
export const isStillAt = (now: McpStored, { record }: Target<McpStored>): boolean =>
  now.details.url === record.details.url;

export const renewalOf = (connections: McpConnections, deps: McpDependencies): Renewal =>
  savedRenewal(connections, new TokenRefresher(connections, deps.tokens));
