import type { Caller } from '../../../contract/caller.ts';
import type { RecordPlans } from '../../../contract/rows/recordPlan.ts';
import type { Stores } from '../../../domain/records/sealedRecord.ts';
import { recordKey } from '../../../domain/values/keys.ts';
import type { SchemaChecks } from '../../../ports/platform/schemaChecks.ts';
import type { FamilyFields } from '../../../resources/kind.ts';
import { Resources } from '../../../resources/resources.ts';
import type { ParsedBody } from '../../../resources/updates.ts';
import type { ReferenceSite } from '../../model-aliases/public.ts';
import type { AgentCreate, AgentRecord, AgentStored, AgentUpdate } from '../definition.ts';
import { addedNames } from './input.ts';
import { assertOutputSchema } from './outputSchema.ts';
import { agentKind, FAMILY } from './records.ts';
import { assertNamesKnown, type ImportTerms } from './references.ts';
import { assertNotPending } from './states.ts';

/** Reads and writes agent records without calling a cloud. */
export class AgentRecords extends Resources<AgentStored, AgentUpdate, AgentRecord> {
  readonly #site: ReferenceSite;
  readonly #schemas: SchemaChecks;

  constructor(stores: Stores, plans: RecordPlans, settings: ReferenceSite['settings'], schemas: SchemaChecks) {
    super(agentKind(stores.newId), stores, plans[FAMILY]);
    this.#site = { records: stores.records, settings };
    this.#schemas = schemas;
  }

  /** @throws Fault `validation_failed`, `unknown_reference`, `duplicate_name`, `acl_denied` */
  async createAgent(
    caller: Caller,
    input: AgentCreate,
    location: string | null,
    warnings: string[],
    imported?: ImportTerms,
  ): Promise<AgentStored> {
    await assertOutputSchema(this.#schemas, input.output_schema);
    const draft = await this.draft(this.parse(input));
    warnings.push(...draft.target.warnings);
    await this.#assertKnown(caller, draft.target.record, imported);
    return this.create(caller, recordKey(input.name), draft, {
      discovered: ({ order }) => ({ order: { ...order, place: location } }),
    });
  }

  /** The agent that `createAgent` would store. Nothing is written. @throws Fault as `createAgent` */
  async previewCreate(caller: Caller, input: AgentCreate, imported: ImportTerms): Promise<AgentRecord> {
    await assertOutputSchema(this.#schemas, input.output_schema);
    const body = this.parse(input);
    await this.#assertKnown(caller, (await this.draft(body)).target.record, imported);
    return this.draftCreate(caller, recordKey(input.name), body, imported.warnings);
  }

  /** @throws Fault `invalid_state`, `unknown_reference`, and as `update` */
  async updateAgent(
    caller: Caller,
    input: AgentUpdate,
    condition: number | undefined,
    warnings: string[],
    imported?: ImportTerms,
  ): Promise<AgentStored> {
    const { key, body, seen } = await this.#readForUpdate(caller, input, imported);
    return this.update(caller, key, body, { condition, seen, warnings });
  }

  /** The agent that `updateAgent` would store. Nothing is written. @throws Fault as `updateAgent` */
  async previewUpdate(
    caller: Caller,
    input: AgentUpdate,
    condition: number | undefined,
    imported: ImportTerms,
  ): Promise<AgentRecord> {
    const { key, body, seen } = await this.#readForUpdate(caller, input, imported);
    return this.draftUpdate(caller, key, body, { condition, seen, warnings: imported.warnings });
  }

  /**
   * Reads the agent, and checks a change before the lease is taken.
   * @throws Fault `validation_failed`, `invalid_state`, `unknown_reference`
   */
  async #readForUpdate(
    caller: Caller,
    input: AgentUpdate,
    imported?: ImportTerms,
  ): Promise<{ key: string; body: ParsedBody<AgentUpdate>; seen: AgentStored }> {
    const key = recordKey(input.name);
    const body = this.parse(input);
    const before = await this.get(caller, key, 'write');
    assertNotPending(before);
    await assertOutputSchema(this.#schemas, input.output_schema);
    const next = await this.mergeChecked(before, body.open, this.sealed.decideSecrets({}, []), []);
    await assertNamesKnown(this.#site, caller, addedNames(before, next), imported);
    return { key, body, seen: before };
  }

  #assertKnown(caller: Caller, fields: FamilyFields<AgentStored>, imported?: ImportTerms): Promise<void> {
    return assertNamesKnown(this.#site, caller, { ...fields, container: fields.runtime?.container }, imported);
  }
}
