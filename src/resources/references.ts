import type { Caller } from '../contract/caller.ts';
import { type Gate, passes } from '../contract/capabilities.ts';
import { Fault } from '../contract/codes/faults.ts';
import type { LlmReference } from '../contract/schemas/llmReference.ts';
import { mayRead, type WithAcl } from '../domain/access/acl.ts';
import type { NamedRecord } from '../domain/records/namedRecord.ts';
import { recordKey } from '../domain/values/keys.ts';
import { fitsReference } from '../domain/values/modelReference.ts';
import type { Doc, RecordStore } from '../ports/stores/recordStore.ts';

/** The key of a name, a model reference, a configuration named by its parts, or all of the connections with a name. */
type Name = string | { connection: string; model: string } | AnyModel;

/** Any model of the connections with this name. */
interface AnyModel {
  connection_name: string;
  /** Default: all. */
  services?: readonly string[] | undefined;
}

/** How records of one kind name those of another. */
interface Reference {
  to: NamedRecord['kind'];
  /** The field with the names. */
  field: string;
  /** The names in a document, of which the fields alone are read: one that is damaged elsewhere still names them. */
  namesIn(document: object): readonly Name[];
}

/** The references of one collection. */
export interface Naming {
  from: string;
  /** The plural of its records, for messages. */
  users: string;
  /** Needed to read the records, if they have no access lists. */
  readers?: Gate;
  references: readonly Reference[];
}

/** All references, in the order of messages; loaded when they are asked for. */
export type References = () => Promise<readonly Naming[]>;

type User = WithAcl & { name: string };

/** Records of one kind that name another record, in the order of the store. */
interface Users {
  kind: string;
  readers?: Gate | undefined;
  records: readonly User[];
}

export const configurationName = ({ service, connection_name, model }: LlmReference): Name => ({
  connection: connectionOf(service, connection_name),
  model,
});

const connectionOf = (service: string, name: string): string =>
  `${service}/${name.normalize('NFC').trim()}`.toLowerCase();

/** A distinct name, with its users by their places in the store. */
interface Use {
  to: NamedRecord['kind'];
  name: Name;
  users: Map<number, User>;
}

const keyOf = (to: Use['to'], name: Name): string => JSON.stringify([to, name]);

/** @param uses by `keyOf` */
function usesOf(uses: ReadonlyMap<string, Use>, named: NamedRecord): Use[] {
  if (named.kind !== 'llm') {
    const use = uses.get(keyOf(named.kind, recordKey(named.name)));
    return use ? [use] : [];
  }
  const { service, connection_name, models, isConnection } = named;
  const connection = connectionOf(service, connection_name);
  const isNamed = (name: Name) => {
    if (typeof name === 'string')
      return models.some((model) => fitsReference({ service, connection_name, model }, name));
    if ('model' in name) return name.connection === connection && (isConnection || models.includes(name.model));
    const isService = name.services === undefined || name.services.includes(service);
    return isService && connectionOf(service, name.connection_name) === connection;
  };
  return [...uses.values()].filter(({ to, name }) => to === 'llm' && isNamed(name));
}

/** Reads each collection once. @returns a lookup of the users of a record. @param kind only of this kind of record */
export async function readUsers(
  records: RecordStore,
  load: References,
  kind?: NamedRecord['kind'],
): Promise<(named: NamedRecord) => Users[]> {
  const namings = (await load())
    .map((each) => ({ ...each, references: each.references.filter(({ to }) => !kind || to === kind) }))
    .filter(({ references }) => references.length > 0);
  const lookups = await Promise.all(namings.map((naming) => readNames(records, naming)));
  return (named) => lookups.map((lookUp) => lookUp(named)).filter((users) => users.records.length > 0);
}

async function readNames(
  records: RecordStore,
  { from, users: kind, readers, references }: Naming,
): Promise<(named: NamedRecord) => Users> {
  const uses = new Map<string, Use>();
  let place = 0;
  const fields = ['name', 'acl', ...new Set(references.map(({ field }) => field))];
  for await (const chunk of records.chunks<Doc & User>(from, { fields }))
    for (const user of chunk) {
      place += 1;
      for (const { to, namesIn } of references)
        for (const name of namesIn(user)) {
          const key = keyOf(to, name);
          const use = uses.get(key) ?? { to, name, users: new Map() };
          uses.set(key, use);
          use.users.set(place, user);
        }
    }
  return (named) => {
    const users = new Map(usesOf(uses, named).flatMap((use) => [...use.users]));
    return { kind, readers, records: [...users].sort(([a], [b]) => a - b).map(([, user]) => user) };
  };
}

/** The names of the users that the caller may read. */
export const readableNames = (caller: Caller, { records, readers }: Users): string[] =>
  records
    .filter((user) => (readers ? passes(readers, caller.capabilities) : mayRead(caller, user)))
    .map(({ name }) => name);

/** @throws Fault `in_use` with the users that the caller may read in `used_by` */
export async function assertNoUsers(
  records: RecordStore,
  caller: Caller,
  references: References,
  named: NamedRecord,
): Promise<void> {
  const users = (await readUsers(records, references, named.kind))(named);
  if (users.length === 0) return;
  const texts = users.map((each) => {
    const names = readableNames(caller, each);
    const hidden = each.records.length - names.length;
    return `${each.kind}: ${[...names, ...(hidden > 0 ? [`${hidden} that you may not read`] : [])].join(', ')}`;
  });
  throw new Fault('in_use', `It is used by ${texts.join('; ')}. Use force=true to delete it anyway.`, {
    used_by: users.flatMap((each) => readableNames(caller, each)),
  });
}

/** `assertUnused` of a kind of record that others name. */
export const unusedBy =
  (references: References, kind: Exclude<NamedRecord['kind'], 'llm'>) =>
  (records: RecordStore, caller: Caller, { name }: { name: string }): Promise<void> =>
    assertNoUsers(records, caller, references, { kind, name });
