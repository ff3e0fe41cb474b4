import type { Static, TObject, TSchema } from 'typebox';
import type { Gate } from '../../contract/capabilities.ts';
import type { FaultCode } from '../../contract/codes/codes.ts';
import { SECRET_FAULTS } from '../../contract/codes/faults.ts';
import type { Endpoint } from '../../contract/rows/endpoint.ts';
import {
  ConfigReply,
  ForceQuery,
  ListQuery,
  ListReply,
  NameParams,
  NameReply,
  OneByName,
  VerifyQuery,
} from '../../contract/schemas/common.ts';
import type { SortKey } from '../../contract/schemas/sortKeys.ts';
import type { FeatureFlag } from '../../contract/settings/flags.ts';
import { byOperation, type CrudNames, type Verb } from './names.ts';

/** Fields of a body, nested ones included, that the record's schema lacks. */
type MissingFields<Body, Record> = {
  [K in keyof Body]-?: K extends keyof Record
    ? NonNullable<Body[K]> extends readonly unknown[]
      ? never
      : NonNullable<Body[K]> extends object
        ? MissingFields<NonNullable<Body[K]>, NonNullable<Record[K]>>
        : never
    : K;
}[keyof Body];

/** Does not compile if the record's schema lacks a field of a body. */
type Shows<Body extends TSchema, Record extends TSchema> = [MissingFields<Static<Body>, Static<Record>>] extends [never]
  ? unknown
  : { missing: MissingFields<Static<Body>, Static<Record>> };

interface Writes<Query> {
  /** Query of create and update. */
  query: Query;
  /** Codes of create and update besides those of all kinds. */
  createFaults: readonly FaultCode[];
  updateFaults: readonly FaultCode[];
}

/** Writes of records with secrets, which a test can precede. */
export const CONNECTION_WRITES = {
  query: VerifyQuery,
  createFaults: ['masked_value_without_stored_secret', 'verification_refused'],
  updateFaults: ['verification_refused', ...SECRET_FAULTS],
} as const satisfies Writes<TObject>;

/** The five rows of a kind of records, addressed by name. */
export function crudRows<
  const One extends string,
  const Many extends string,
  const Keys extends readonly [SortKey, ...SortKey[]],
  Shown extends TSchema,
  Create extends TSchema,
  Update extends TSchema,
  Query extends TObject,
>(
  spec: CrudNames<One, Many> & {
    path: `/ml/${string}`;
    sortKeys: Keys;
    /** Access for writes; for reads the record's access list decides. */
    write: { gate: Gate; flag: FeatureFlag };
    writes: Writes<Query>;
    record: Shown & Shows<Create, Shown> & Shows<Update, Shown>;
    create: Create;
    update: Update;
    summaries: Record<Verb, string>;
  },
) {
  const { path, write, writes, summaries } = spec;
  const reply = ConfigReply(spec.record);
  const rows = {
    list: {
      method: 'GET',
      path,
      summary: summaries.list,
      gate: 'session',
      query: ListQuery(spec.sortKeys, { name: OneByName }),
      reply: ListReply(spec.record),
      faults: ['not_found'],
    },
    get: {
      method: 'GET',
      path: `${path}/{name}`,
      summary: summaries.get,
      gate: 'session',
      params: NameParams,
      reply,
      faults: ['not_found'],
      addition: true,
    },
    create: {
      method: 'POST',
      path,
      audit: { action: 'create', name: ['body.name'] },
      summary: summaries.create,
      ...write,
      query: writes.query,
      body: spec.create,
      reply,
      faults: ['duplicate_name', 'acl_denied', ...writes.createFaults],
    },
    update: {
      method: 'PUT',
      path,
      audit: { action: 'update', name: ['body.name'] },
      summary: summaries.update,
      ...write,
      query: writes.query,
      body: spec.update,
      conditional: true,
      reply,
      faults: ['not_found', 'acl_denied', 'version_conflict', ...writes.updateFaults],
    },
    delete: {
      method: 'DELETE',
      path: `${path}/{name}`,
      audit: { action: 'delete', name: ['params.name'] },
      summary: summaries.delete,
      ...write,
      params: NameParams,
      query: ForceQuery,
      conditional: true,
      reply: NameReply,
      faults: ['not_found', 'acl_denied', 'version_conflict', 'in_use'],
    },
  } as const satisfies Record<Verb, Omit<Endpoint, 'id'>>;
  return byOperation(rows, spec);
}
