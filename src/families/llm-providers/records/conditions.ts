import type { LastTest } from '../../../contract/schemas/common.ts';
import { type Expiry, expiryOf } from '../../../domain/net/certificates.ts';
import type { RecordStore } from '../../../ports/stores/recordStore.ts';
import { fieldName, readSettings } from '../settings.ts';
import {
  entryOf,
  isSaved,
  LLM_CONNECTIONS,
  type LlmConnection,
  type LlmIdentity,
  llmConnectionKey,
  serviceSettingsOf,
} from './connection.ts';

export function expiriesOf(connection: Pick<LlmConnection, 'servicesettings'>): Expiry[] {
  const { endpoint, verify_tls, ca_certificate } = readSettings(serviceSettingsOf(connection));
  if (!verify_tls || /^http:/i.test(endpoint ?? '')) return [];
  return expiryOf(ca_certificate, { what: 'a CA certificate', field: fieldName('ca_certificate') });
}

/** Facts about one model, from which its health is derived. */
export interface ModelCondition {
  /** The connection's key. */
  key: string;
  lastTest: LastTest | undefined;
  expiries: Expiry[];
}

const FIELDS = ['servicesettings', 'models'] as const;

/** @returns a lookup, undefined for a configuration that does not exist or is a draft */
export async function modelConditions(
  records: RecordStore,
): Promise<(identity: LlmIdentity) => ModelCondition | undefined> {
  const connections = new Map<string, Pick<LlmConnection, '_key' | (typeof FIELDS)[number]>>();
  for await (const chunk of records.chunks<LlmConnection>(LLM_CONNECTIONS, { fields: FIELDS })) {
    for (const connection of chunk) connections.set(connection._key, connection);
  }
  return ({ service, connection_name, model }) => {
    const key = llmConnectionKey(service, connection_name);
    const connection = connections.get(key);
    const entry = connection && entryOf(connection, model);
    if (!entry || !isSaved(entry)) return undefined;
    return { key, lastTest: entry.last_test, expiries: expiriesOf(connection) };
  };
}
