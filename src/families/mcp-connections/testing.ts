import type { Deadline } from '../../ports/deadline.ts';
import type { McpContact, McpDependencies, McpListing } from '../../ports/mcpClient.ts';
import type { Target } from '../../resources/target.ts';
import { callServer, failedContact, failedListing, learned, type Outcome } from './contact.ts';
import type { McpConnections } from './kind.ts';
import type { McpStored } from './records.ts';
import { TokenRefresher } from './refresh.ts';
import { type Renewal, savedRenewal } from './renewal.ts';

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
    (client, at, deadline) => client.probe(at, deadline),
    failedContact,
    outer,
  );
  const { contact, elapsedMs } = outcome;
  await connections.recordTest(target, elapsedMs, contact.error, (record) =>
    isStillAt(record, target) ? learned(record, contact) : {},
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
    (client, at, deadline) => client.listTools(at, deadline),
    failedListing,
    outer,
  );
}

/** What one server taught is not true of another one to which the connection has been moved meanwhile. */
export const isStillAt = (now: McpStored, { record }: Target<McpStored>): boolean =>
  now.details.url === record.details.url;

export const renewalOf = (connections: McpConnections, deps: McpDependencies): Renewal =>
  savedRenewal(connections, new TokenRefresher(connections, deps.tokens));
