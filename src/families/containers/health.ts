import { append } from '../../contract/basics.ts';
import { EDIT_CONNECTIONS, passes, READ_CONNECTIONS, READ_CONTAINERS } from '../../contract/capabilities.ts';
import type { RecordPlans } from '../../contract/rows/recordPlan.ts';
import { isOn } from '../../contract/settings/flags.ts';
import type { Expiry } from '../../domain/net/certificates.ts';
import type { Condition, HealthSource } from '../../domain/records/connectionHealth.ts';
import type { Stores } from '../../domain/records/sealedRecord.ts';
import type { Certificates } from '../../ports/engines/certificates.ts';
import type { ContainerDependencies } from '../../ports/engines/containerDependencies.ts';
import type { RecordStore } from '../../ports/stores/recordStore.ts';
import { CONNECTIONS, type ConnectionStored } from './connections/records.ts';
import { allUsers } from './connections/users.ts';
import { testSaved } from './connections/verify.ts';
import type { EngineKind } from './engines/engineKind.ts';
import { ENGINE_KINDS, openNames } from './engines/registry.ts';
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

export function containerHealth(stores: Stores, deps: ContainerDependencies, plans: RecordPlans): HealthSource {
  const { connections } = containerParts(stores, deps, plans);

  return {
    readers: READ_CONNECTIONS,
    testers: EDIT_CONNECTIONS.gate,
    flag: EDIT_CONNECTIONS.flag,
    async conditions(caller) {
      const [records, users] = await Promise.all([
        readAll(stores.records),
        passes(READ_CONTAINERS, caller.capabilities) ? allUsers(stores.records) : new Map<string, string[]>(),
      ]);
      const nameOf = naming(records);
      const conditionOf = async (record: ConnectionStored): Promise<Condition> => {
        const { _key: key, container_type: type, connection_name, created_by: owner, last_test: lastTest } = record;
        return {
          ...{ key, type, owner, lastTest, needsSignIn: false, usedBy: users.get(key) ?? [] },
          ...{ name: nameOf(type, connection_name), fullName: fullNameOf(type, connection_name) },
          // Certificates may be files, so they are read at each check.
          expiries: mayEnd(record) ? await expiriesOf(deps.certificates, connections.kindOf(record), record) : [],
        };
      };
      return Promise.all(records.map(conditionOf));
    },
    test: (_caller, key, deadline) => testSaved(connections, deps, key, deadline),
  };
}

const FIELDS = [
  'container_type',
  'connection_name',
  'token_ends',
  'last_test',
  'created_by',
  ...openNames(ENGINE_KINDS),
];

async function readAll(records: RecordStore): Promise<ConnectionStored[]> {
  const connections: ConnectionStored[] = [];
  for await (const chunk of records.chunks<ConnectionStored>(CONNECTIONS, { fields: FIELDS }))
    append(connections, chunk);
  return connections;
}

const fullNameOf = (type: string, name: string): string => `${type}/${name}`;

/** The name alone, or with the type if several types share it. */
function naming(connections: readonly Pick<ConnectionStored, 'connection_name'>[]) {
  const names = Map.groupBy(connections, ({ connection_name }) => connection_name.toLowerCase());
  return (type: string, name: string): string =>
    names.get(name.toLowerCase())?.length === 1 ? name : fullNameOf(type, name);
}

const mayEnd = (record: ConnectionStored): boolean =>
  record.token_ends !== undefined || CERTIFICATE_FIELDS.some((field) => record[field] !== undefined);

/** Expiry of the credentials in use; leftovers of another auth mode do not count. */
async function expiriesOf(reader: Certificates, kind: EngineKind, record: ConnectionStored): Promise<Expiry[]> {
  const credentials = kind.credentials(record);
  const certificates = [
    ...(kind.isVerified(record) ? ['cluster_ca' as const] : []),
    ...credentials.filter((field) => field === 'client_cert'),
    ...(isOn(record.container_enable_https) ? ['endpoint_cert_filename_or_path' as const] : []),
  ];
  const read = certificates.map(async (field): Promise<Expiry[]> => {
    const text = record[field];
    const certificate = text === undefined ? undefined : await reader.read(text);
    return certificate
      ? [{ what: CERTIFICATES[field], field, code: 'tls_expired', at: certificate.expiresAt / 1000 }]
      : [];
  });
  const tokens = credentials.flatMap((field): Expiry[] => {
    const end = record.token_ends?.[field];
    return field === 'client_cert' || end === undefined ? [] : [{ what: TOKENS[field], field, at: end }];
  });
  return [...(await Promise.all(read)).flat(), ...tokens];
}
