import { passes } from '../../contract/capabilities.ts';
import { isOn } from '../../contract/flags.ts';
import {
  type Condition,
  type ConnectionName,
  type Expiry,
  type HealthSource,
  inOrder,
} from '../../domain/connectionHealth.ts';
import { WRITTEN } from '../../domain/documentChanges.ts';
import type { EntryOf } from '../../domain/entrySource.ts';
import { among } from '../../domain/keyQueries.ts';
import { onceFor } from '../../domain/onceFor.ts';
import type { Stores } from '../../domain/sealed.ts';
import type { Slim } from '../../domain/slimRows.ts';
import type { Certificates } from '../../ports/certificates.ts';
import type { ContainerDependencies } from '../../ports/containerDependencies.ts';
import { type ContainerEntry, containerEntries } from './connections/inventory.ts';
import { CONNECTIONS, type ConnectionStored } from './connections/records.ts';
import { allUsers } from './connections/users.ts';
import { testSaved } from './connections/verify.ts';
import type { EngineKind } from './engines/engineKind.ts';
import { ENGINE_KINDS, openNames } from './engines/registry.ts';
import { EDIT_CONNECTIONS, READ_CONNECTIONS, READ_CONTAINERS } from './gates.ts';
import { containerParts } from './parts.ts';

const CERTIFICATES = {
  cluster_ca: 'a CA certificate of the engine',
  client_cert: 'the client certificate',
  endpoint_cert_filename_or_path: 'a certificate that containers are verified with',
} as const;
const CERTIFICATE_FIELDS = Object.keys(CERTIFICATES) as (keyof typeof CERTIFICATES)[];
const TOKENS = {
  user_token: 'the token of the user',
  service_account_token: 'the token of the service account',
} as const;

export function containerHealth(
  stores: Stores,
  deps: ContainerDependencies,
  secretPaths: Readonly<Record<string, readonly string[]>>,
): HealthSource {
  const { connections } = containerParts(stores, deps, secretPaths);

  /** How they are, apart from who uses them. Certificates are files, some of them, and read at each look. */
  async function conditionsNow(all: readonly ConnectionStored[]): Promise<Condition[]> {
    const ending = all.filter(mayEnd).map(async (record) => {
      return [record._key, await expiriesOf(deps.certificates, connections.kindOf(record), record)] as const;
    });
    const ends = new Map(await Promise.all(ending));
    return conditionsOf(all).map((one) => {
      const expiries = ends.get(one.key);
      return expiries ? { ...one, expiries } : one;
    });
  }

  return {
    readers: READ_CONNECTIONS,
    testers: EDIT_CONNECTIONS.gate,
    flag: EDIT_CONNECTIONS.flag,
    async conditions(caller, keys) {
      const [all, users] = await Promise.all([
        connections.sealed.find(among(keys)),
        passes(READ_CONTAINERS, caller.capabilities) ? allUsers(stores.records) : new Map<string, string[]>(),
      ]);
      return (await conditionsNow(all)).map((one) => ({ ...one, usedBy: users.get(one.key) ?? [] }));
    },
    async names() {
      const kept = await containerEntries.kept(stores);
      return kept && namesOf(kept.entries);
    },
    async kept() {
      const all = await stores.rows?.ifKept(stores, CONDITIONS);
      return all && conditionsNow(all);
    },
    test: (_caller, key, deadline) => testSaved(connections, deps, key, deadline),
  };
}

const CONDITIONS: Slim<ConnectionStored, ConnectionStored> = {
  collection: CONNECTIONS,
  fields: ['container_type', 'connection_name', 'token_ends', 'last_test', ...openNames(ENGINE_KINDS)],
  changes: WRITTEN,
  shape: (record) => record,
  compare: (a, b) => (a._key < b._key ? -1 : 1),
};

/** How they are, apart from what ends and from who uses them. */
const conditionsOf = onceFor((all: readonly ConnectionStored[]): Condition[] => {
  const nameOf = naming(all);
  const conditions = all.map(({ _key: key, container_type: type, connection_name, last_test: lastTest }): Condition => {
    const names = { name: nameOf(type, connection_name), fullName: fullNameOf(type, connection_name) };
    return { key, ...names, type, lastTest, needsSignIn: false, expiries: [] };
  });
  return inOrder(conditions);
});

const fullNameOf = (type: string, name: string): string => `${type}/${name}`;

/** What a connection is called among these: by its name alone, unless others share it. */
function naming(all: readonly Pick<ConnectionStored, 'connection_name'>[]) {
  const names = Map.groupBy(all, ({ connection_name }) => connection_name.toLowerCase());
  return (type: string, name: string): string =>
    names.get(name.toLowerCase())?.length === 1 ? name : fullNameOf(type, name);
}

const namesOf = onceFor((entries: readonly EntryOf<ContainerEntry>[]): ConnectionName[] => {
  const nameOf = naming(entries.map(({ entry }) => entry));
  const names = entries.map(({ key, entry: { connection_type: type, connection_name } }) => {
    return { key, name: nameOf(type, connection_name), type };
  });
  return inOrder(names);
});

const mayEnd = (record: ConnectionStored): boolean =>
  record.token_ends !== undefined || CERTIFICATE_FIELDS.some((field) => record[field] !== undefined);

/** Of what the connection uses: a client certificate that is left over from another way to sign in ends nothing. */
async function expiriesOf(reader: Certificates, kind: EngineKind, record: ConnectionStored): Promise<Expiry[]> {
  const credentials = kind.credentials(record);
  const certificates = [
    ...(kind.provesItself(record) ? ['cluster_ca' as const] : []),
    ...credentials.filter((field) => field === 'client_cert'),
    ...(isOn(record.container_enable_https) ? ['endpoint_cert_filename_or_path' as const] : []),
  ];
  const read = certificates.map(async (field): Promise<Expiry[]> => {
    const text = record[field];
    const found = text === undefined ? undefined : await reader.read(text);
    return found ? [{ what: CERTIFICATES[field], field, code: 'tls_expired', at: found.expiresAt / 1000 }] : [];
  });
  const tokens = credentials.flatMap((field): Expiry[] => {
    const at = record.token_ends?.[field];
    return field === 'client_cert' || at === undefined ? [] : [{ what: TOKENS[field], field, at }];
  });
  return [...(await Promise.all(read)).flat(), ...tokens];
}
