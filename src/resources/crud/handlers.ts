import { counted } from '../../contract/basics.ts';
import { type CallContext, withDraft, withValidation } from '../../contract/rows/handlers.ts';
import type { Pagination } from '../../contract/schemas/common.ts';
import type { ListQueryValues } from '../../domain/lists/lists.ts';
import { recordKey } from '../../domain/values/keys.ts';
import type { Shown } from '../kind.ts';
import type { Resource } from '../records.ts';
import type { Resources } from '../resources.ts';
import { createRecord, type Test, updateRecord } from '../verified.ts';
import { type ByOperation, byOperation, type CrudNames } from './names.ts';

type Call<Params, Query, Body> = CallContext & { params: Params; query: Query; body: Body };
type Write<F> = Call<unknown, { verify?: boolean | undefined }, F & { name: string }>;

interface Verbs<F, V> {
  list(
    call: Call<unknown, ListQueryValues & { name?: string | undefined }, unknown>,
  ): Promise<{ config: V } | { result: V[]; pagination: Pagination; message: string }>;
  get: (call: Call<{ name: string }, unknown, unknown>) => Promise<{ config: V }>;
  create: (call: Write<F>) => Promise<{ message: string; config: V }>;
  update: (call: Write<F>) => Promise<{ message: string; config: V }>;
  delete: (
    call: Call<{ name: string }, { force?: boolean | undefined }, unknown>,
  ) => Promise<{ message: string; name: string }>;
}

interface CrudOptions<R extends Resource, F> {
  /** Messages of replies. */
  created: string;
  updated: string;
  deleted: string;
  /** The test for `?verify=true`. */
  verify: Test<R>;
  /** Warnings about a body. */
  warningsOf?(body: F): string[];
  afterDelete?(record: R): Promise<void>;
}

/** The handlers for `crudRows` of the same names. */
export function crudHandlers<
  const One extends string,
  const Many extends string,
  R extends Resource & { name: string },
  F extends object,
  V extends Shown,
>(
  names: CrudNames<One, Many>,
  resources: Resources<R, F, V>,
  { created, updated, deleted, verify, warningsOf = () => [], afterDelete }: CrudOptions<R, F>,
): ByOperation<Verbs<F, V>, One, Many> {
  const saveOf = ({ caller, body, warnings }: Write<F>) => {
    warnings.push(...warningsOf(body));
    return { caller, key: recordKey(body.name), body: resources.parse(body), warnings };
  };
  const verbs: Verbs<F, V> = {
    async list({ caller, query }) {
      if (query.name !== undefined) return { config: await resources.show(caller, recordKey(query.name)) };
      const page = await resources.list(caller, query);
      return { ...page, message: counted(page.pagination.total, resources.kind.label) };
    },
    async get({ caller, params }) {
      return { config: await resources.show(caller, recordKey(params.name)) };
    },
    create: withDraft(
      withValidation(
        async (call: Write<F>) => {
          const record = await createRecord(resources, saveOf(call), call.query.verify ? verify : undefined);
          return { message: created, config: resources.view(record) };
        },
        async (body: F) => resources.draft(resources.parse(body)),
      ),
      async (call) => {
        const { caller, key, body, warnings } = saveOf(call);
        return resources.draftCreate(caller, key, body, warnings);
      },
    ),
    update: withDraft(
      async (call: Write<F>) => {
        const save = { ...saveOf(call), condition: call.condition };
        const record = await updateRecord(resources, save, call.query.verify ? verify : undefined);
        return { message: updated, config: resources.view(record) };
      },
      async (call) => {
        const { caller, key, body, warnings } = saveOf(call);
        return resources.draftUpdate(caller, key, body, { condition: call.condition, warnings });
      },
    ),
    async delete({ caller, params, query, condition }) {
      const record = await resources.remove(caller, recordKey(params.name), { ...query, condition });
      await afterDelete?.(record);
      return { message: deleted, name: record.name };
    },
  };
  return byOperation(verbs, names);
}
