import { EDIT_MCP_CONNECTIONS } from '../../contract/capabilities.ts';
import type { RecordPlans } from '../../contract/rows/recordPlan.ts';
import { mayRead } from '../../domain/access/acl.ts';
import type { Expiry } from '../../domain/net/certificates.ts';
import { expiryOf } from '../../domain/net/certificates.ts';
import type { Condition, HealthSource } from '../../domain/records/connectionHealth.ts';
import type { Stores } from '../../domain/records/sealedRecord.ts';
import type { McpDependencies } from '../../ports/mcp/mcpClient.ts';
import { Resources } from '../../resources/resources.ts';
import { noteDrift, notedChanges } from './calls/drift.ts';
import { listTools, testServer } from './calls/testing.ts';
import { type McpConnections, mcpKind } from './kind.ts';
import { FAMILY, MCP_CONNECTIONS, type McpStored } from './records.ts';
import { canRefresh } from './tokens/refreshDue.ts';
import { compareListing, unacceptedIn } from './tools/acceptance.ts';

const FIELDS = [
  'name',
  'type',
  'acl',
  'details',
  'secret_fields',
  'auth_state',
  'token_expires_at',
  'created_at',
  'acceptance',
  'last_test',
] as const satisfies readonly (keyof McpStored)[];

export function mcpHealth(stores: Stores, deps: McpDependencies, plans: RecordPlans): HealthSource {
  const connections: McpConnections = new Resources(mcpKind, stores, plans[FAMILY]);
  const { records } = stores;

  return {
    readers: 'session',
    testers: EDIT_MCP_CONNECTIONS.gate,
    flag: EDIT_MCP_CONNECTIONS.flag,
    async conditions(caller) {
      const noted = notedChanges(records);
      // Awaited with the first records.
      noted.catch(() => {});
      const conditions: Condition[] = [];
      for await (const chunk of records.chunks<McpStored>(MCP_CONNECTIONS, { fields: FIELDS })) {
        const changesOf = await noted;
        for (const record of chunk.filter((candidate) => mayRead(caller, candidate)))
          conditions.push({ ...conditionOf(record), ...changesOf(record) });
      }
      return conditions;
    },
    async test(caller, key, deadline) {
      const target = await connections.target(caller, key, {});
      const { saved } = target;
      // An aborted call would lose a rotating refresh token.
      const outer = saved && canRefresh(saved) ? undefined : deadline;
      const { contact } = await testServer(connections, deps, target, outer);
      if (contact.error || !saved) return contact.error;
      await noteDrift(records, saved, async () => {
        const { contact: listing } = await listTools(connections, deps, target, outer);
        if (listing.error) return undefined;
        const compared = await compareListing(connections, target, listing);
        return listing.truncated ? undefined : { tools: listing.tools, unaccepted: unacceptedIn(compared) };
      });
      return undefined;
    },
  };
}

function conditionOf(record: McpStored): Condition {
  const { _key: key, name, type, acl, last_test: lastTest } = record;
  return {
    key,
    name,
    type,
    owner: acl.owner,
    lastTest,
    needsSignIn: record.auth_state === 'reauth_required',
    expiries: expiriesOf(record),
    reference: { kind: 'mcp', name },
  };
}

/** A token that the app refreshes does not expire, unless its refresh was refused. */
function expiriesOf(record: McpStored): Expiry[] {
  const { details, token_expires_at: expiresAt } = record;
  const renews = canRefresh(record) && record.auth_state !== 'reauth_required';
  const hasToken = record.secret_fields.includes('details/token');
  const isVerified = details.verify_tls && /^https:/i.test(details.url);
  return [
    ...(expiresAt === undefined || renews || !hasToken
      ? []
      : [{ what: 'the access token', field: 'details.token', at: expiresAt }]),
    ...(isVerified ? expiryOf(details.ca_certificate, CA) : []),
  ];
}

const CA = { what: 'a CA certificate', field: 'details.ca_certificate' };
