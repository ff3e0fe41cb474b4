import type { Caller } from '../../../contract/caller.ts';
import { Fault, invalid } from '../../../contract/codes/faults.ts';
import { changedAcl, newAcl } from '../../../domain/access/acl.ts';
import type { Open, Stores, Update } from '../../../domain/records/sealedRecord.ts';
import { recordKey } from '../../../domain/values/keys.ts';
import { BY_LIST } from '../../../resources/access.ts';
import { ResourceRecords } from '../../../resources/records.ts';
import type { ReferenceSite } from '../../model-aliases/public.ts';
import type { AgentCreate, AgentUpdate } from '../inputSchemas.ts';
import { addedNames, DEFAULTS, merge } from './input.ts';
import { agentSpec, NO_RUNTIME, newOrder, newTracking } from './records.ts';
import { assertNamesKnown, type ImportTerms } from './references.ts';
import { cloudOf } from './runtimeTypes.ts';
import { type AgentEvent, isPending, nextState, statesFor } from './states.ts';
import { type AgentStored, inputOf } from './stored.ts';

/** Reads and writes agent records without calling a cloud. */
export class AgentRecords extends ResourceRecords<AgentStored> {
  readonly #site: ReferenceSite;

  constructor(stores: Stores, settings: ReferenceSite['settings']) {
    super(agentSpec, BY_LIST, stores);
    this.#site = { records: stores.records, settings };
  }

  /** @throws Fault `unknown_reference`, `duplicate_name`, `acl_denied` */
  async create(
    caller: Caller,
    input: AgentCreate,
    location: string | null,
    imported?: ImportTerms,
  ): Promise<AgentStored> {
    return this.sealed.create(await this.#new(caller, input, location, imported), {}, caller.user);
  }

  /** The agent that `create` would store. Nothing is written. @throws Fault as `create` */
  async draftCreate(caller: Caller, input: AgentCreate, imported: ImportTerms): Promise<AgentStored> {
    return this.sealed.draftCreate(await this.#new(caller, input, null, imported), {}, caller.user);
  }

  async #new(
    caller: Caller,
    input: AgentCreate,
    location: string | null,
    imported?: ImportTerms,
  ): Promise<Open<AgentStored>> {
    const fields = merge(DEFAULTS, input);
    const acl = newAcl(caller, input.acl);
    await assertNamesKnown(this.#site, caller, { ...fields, container: fields.runtime?.container }, imported);
    return {
      _key: recordKey(input.name),
      name: input.name,
      ...fields,
      acl,
      state: cloudOf(fields) === undefined ? 'Available' : 'Creating',
      state_reason: null,
      state_code: null,
      ...NO_RUNTIME,
      tracking: newTracking('create', this.now()),
      order: newOrder(this.stores.newId(), location),
    };
  }

  async update(
    caller: Caller,
    input: AgentUpdate,
    condition: number | undefined,
    imported?: ImportTerms,
  ): Promise<AgentStored> {
    const key = recordKey(input.name);
    const seen = await this.get(caller, key, 'write');
    await this.#assertMayChange(caller, seen, input, imported);
    return this.sealed.update(key, { ...this.#change(caller, input, condition), seen });
  }

  /** The agent that `update` would store. Nothing is written. @throws Fault as `update` */
  async draftUpdate(
    caller: Caller,
    input: AgentUpdate,
    condition: number | undefined,
    imported: ImportTerms,
  ): Promise<AgentStored> {
    const seen = await this.get(caller, recordKey(input.name), 'write');
    await this.#assertMayChange(caller, seen, input, imported);
    const plan = await this.sealed.plan(seen, this.#change(caller, input, condition));
    return this.sealed.draftOf(plan, caller.user);
  }

  /** Checked before the lease is taken. @throws Fault `invalid_state`, `unknown_reference` */
  async #assertMayChange(caller: Caller, seen: AgentStored, input: AgentUpdate, imported?: ImportTerms): Promise<void> {
    assertNotPending(seen);
    await assertNamesKnown(this.#site, caller, addedNames(inputOf(seen), merge(inputOf(seen), input)), imported);
  }

  #change(caller: Caller, input: AgentUpdate, condition: number | undefined): Update<AgentStored> {
    return {
      actor: caller.user,
      condition,
      submitted: {},
      guard: (record) => {
        this.assertMay(caller, 'write', record);
        assertNotPending(record);
      },
      next: (record) => {
        const next = merge(inputOf(record), input);
        if (next.runtime_type !== record.runtime_type) {
          throw invalid([{ field: 'runtime_type', message: `cannot be changed; it is ${record.runtime_type}` }]);
        }
        return { ...record, ...next, acl: changedAcl(caller, record.acl, input.acl) };
      },
    };
  }
}

/** @throws Fault `invalid_state` while a creation or deletion is in progress */
function assertNotPending({ state }: AgentStored): void {
  if (isPending(state)) throw invalidState(state, 'changed once that is over');
}

/** @throws Fault `invalid_state` with the states that allow the event */
export function assertAllowed({ state }: AgentStored, event: AgentEvent): void {
  if (nextState(state, event) === undefined)
    throw invalidState(state, `possible when it is ${statesFor(event).join(', ')}`);
}

function invalidState(state: string, when: string): Fault {
  return new Fault('invalid_state', `The agent is ${state}; this is ${when}`, { state });
}
