import { counted } from '../../contract/basics.ts';
import type { Caller } from '../../contract/caller.ts';
import { type CallContext, withDraft, withValidation } from '../../contract/rows/handlers.ts';
import type { IsPlanned } from '../../contract/rows/internalCalls.ts';
import type { Pagination } from '../../contract/schemas/common.ts';
import type { ListQueryValues } from '../../domain/lists/lists.ts';
import { recordKey } from '../../domain/values/keys.ts';
import type { ReplyFields } from '../kind.ts';
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
  verify?: Test<R>;
  /**
   * Checks the references of a body.
   * @param before the stored record of an update
   * @throws Fault `unknown_reference`
   */
  assertKnown?(caller: Caller, body: F, before: R | undefined, isPlanned?: IsPlanned): Promise<void>;
  /** Warnings about a body. */
  warningsOf?(body: F): string[] | Promise<string[]>;
  afterDelete?(record: R): Promise<void>;
}

/** The handlers for `crudRows` of the same names. */
export function crudHandlers<
  const One extends string,
  const Many extends string,
  R extends Resource & { name: string },
  F extends object,
  V extends ReplyFields,
>(
  names: CrudNames<One, Many>,
  resources: Resources<R, F, V>,
  { created, updated, deleted, verify, assertKnown, warningsOf = () => [], afterDelete }: CrudOptions<R, F>,
): ByOperation<Verbs<F, V>, One, Many> {
  const saveOf = async ({ caller, body, warnings }: Write<F>) => {
    warnings.push(...(await warningsOf(body)));
    return { caller, key: recordKey(body.name), body: resources.parse(body), warnings };
  };
  /** The stored record, read before its references are checked. */
  const checkedBefore = async ({ caller, body }: Write<F>, isPlanned?: IsPlanned): Promise<R | undefined> => {
    if (!assertKnown) return undefined;
    const before = await resources.get(caller, recordKey(body.name), 'write');
    await assertKnown(caller, body, before, isPlanned);
    return before;
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
          await assertKnown?.(call.caller, call.body, undefined);
          const record = await createRecord(resources, await saveOf(call), call.query.verify ? verify : undefined);
          return { message: created, config: resources.view(record) };
        },
        async (body: F) => resources.draft(resources.parse(body)),
      ),
      async (call) => {
        await assertKnown?.(call.caller, call.body, undefined, call.isPlanned);
        const { caller, key, body, warnings } = await saveOf(call);
        return resources.draftCreate(caller, key, body, warnings);
      },
    ),
    update: withDraft(
      async (call: Write<F>) => {
        const save = { ...(await saveOf(call)), condition: call.condition, seen: await checkedBefore(call) };
        const record = await updateRecord(resources, save, call.query.verify ? verify : undefined);
        return { message: updated, config: resources.view(record) };
      },
      async (call) => {
        const { caller, key, body, warnings } = await saveOf(call);
        const before = await checkedBefore(call, call.isPlanned);
        return resources.draftUpdate(caller, key, body, { condition: call.condition, warnings, seen: before });
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
