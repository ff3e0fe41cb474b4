import type { Caller } from '../../contract/caller.ts';
import { Fault, invalid } from '../../contract/faults.ts';
import { changedAcl, newAcl } from '../../domain/acl.ts';
import { splitPasted } from '../../domain/awsKeys.ts';
import { recordKey } from '../../domain/keys.ts';
import { nestsDeeperThan } from '../../domain/nesting.ts';
import { OwnedRecords } from '../../domain/owned.ts';
import type { RegisteredModel } from '../../domain/registeredModels.ts';
import type { Stores } from '../../domain/sealed.ts';
import { decide, type GivenSecrets, type Secrets } from '../../domain/secrets.ts';
import {
  assertValid,
  mergeSettings,
  type RegistrationOpen,
  registrationSpec,
  type Settings,
  type SettingsInput,
} from './records.ts';
import type { RegistrationInput, RegistrationUpdate } from './schemas.ts';

/** What a registration would be, with its secrets in the clear: lives as long as the call. */
export interface Draft {
  settings: Settings;
  secrets: Readonly<Secrets>;
  warnings: string[];
}

/** Has the endpoint looked at before anything is stored. @throws Fault */
export type Inspect = (draft: Draft) => Promise<void>;

/** No real document comes near. */
const DEEPEST = 200;

const taken = () => new Fault('already_exists', 'A registered model of this name exists already');

/** Registered cloud models as records: who may do what, and what makes a whole one. Knows no cloud. */
export class ModelRegistrations extends OwnedRecords<RegisteredModel> {
  readonly secretPaths: readonly string[];

  constructor(stores: Stores, secretPaths: readonly string[]) {
    super(registrationSpec, stores);
    this.secretPaths = secretPaths;
  }

  /**
   * A registration of what is given alone.
   * @throws Fault `validation_failed` with every problem, `masked_value_without_stored_secret`
   */
  draft({ model_name: _, acl: __, ...rest }: RegistrationInput): Draft & { given: GivenSecrets } {
    const { open, given } = this.#takeApart(rest);
    const settings = mergeSettings(undefined, open);
    return { settings, given, warnings: assertValid(settings, given, []), secrets: decide(given, []).set };
  }

  /** Nothing is stored before `inspect` has passed, so a failed registration leaves nothing over. */
  async register(caller: Caller, input: RegistrationInput, inspect: Inspect): Promise<Draft> {
    const { model_name, acl } = input;
    const { given, ...draft } = this.draft(input);
    const _key = recordKey(model_name);
    const record: RegistrationOpen = { _key, model_name, ...draft.settings, acl: newAcl(caller, acl) };
    if (await this.stores.records.get(registrationSpec.collection, _key)) throw taken();
    await inspect(draft);
    await this.sealed.create(record, given, caller.user).catch((error: unknown) => {
      throw error instanceof Fault && error.code === 'duplicate_name' ? taken() : error;
    });
    return draft;
  }

  /** `inspect` is asked only when the endpoint or the way to it changes. */
  async update(
    caller: Caller,
    input: RegistrationUpdate,
    condition: number | undefined,
    inspect: Inspect,
  ): Promise<{ record: RegisteredModel; warnings: string[] }> {
    const { model_name, acl, version: _, ...rest } = input;
    const { open, given } = this.#takeApart(rest);
    const key = recordKey(model_name);
    const before = await this.get(caller, key, 'write');
    // Before the cloud is asked: what can be refused at once is. The update decides again, on the record as it is then.
    changedAcl(caller, before.acl, acl);
    this.sealed.assertVersion(before, condition);
    const draft = await this.#changed(caller, before, open, given);
    const isOther = isMoved(before, draft.settings) || decide(given, before.secret_fields).changes;
    if (isOther) await inspect(draft);
    const record = await this.sealed.update(key, {
      actor: caller.user,
      condition,
      given,
      guard: (current) => this.assertMay(caller, 'write', current),
      next: (current) => {
        const settings = mergeSettings(current, open);
        assertValid(settings, given, current.secret_fields);
        const { openapi_spec: __, ...kept } = current;
        return { ...kept, ...settings, acl: changedAcl(caller, current.acl, acl) };
      },
    });
    return { record, warnings: draft.warnings };
  }

  /** What is to be tested: the saved record by its name alone, else what is given. */
  async target(caller: Caller, input: RegistrationInput): Promise<Draft & { saved?: RegisteredModel }> {
    const { model_name, acl: _, ...rest } = input;
    const key = recordKey(model_name);
    if (Object.keys(rest).length === 0) {
      const { record: saved, secrets } = await this.unsealed(caller, key);
      return { settings: saved, secrets, warnings: [], saved };
    }
    const { open, given } = this.#takeApart(rest);
    const isWhole = rest.endpoint_name !== undefined && rest.cloud_credentials?.region !== undefined;
    const lender = await this.lender(caller, key, isWhole);
    return lender ? this.#changed(caller, lender, open, given) : this.draft(input);
  }

  async remove(caller: Caller, name: string, condition: number | undefined): Promise<string> {
    const removed = await this.sealed.remove(recordKey(name), {
      condition,
      guard: (record) => this.assertMay(caller, 'write', record),
    });
    return removed.model_name;
  }

  /** @throws Fault `validation_failed` for a document that is nested to exhaust whoever walks it */
  #takeApart<T extends SettingsInput>(input: T): ReturnType<typeof splitPasted<T>> {
    if (nestsDeeperThan(input.openapi_spec, DEEPEST)) {
      throw invalid([{ field: 'openapi_spec', message: `is nested deeper than ${DEEPEST} levels` }]);
    }
    return splitPasted(input, this.secretPaths);
  }

  async #changed(
    caller: Caller,
    record: RegisteredModel,
    open: Parameters<typeof mergeSettings>[1],
    given: Parameters<typeof assertValid>[1],
  ): Promise<Draft> {
    let draft: Pick<Draft, 'settings' | 'warnings'> | undefined;
    const changed = (now: RegisteredModel): RegisteredModel => {
      const settings = mergeSettings(now, open);
      draft = { settings, warnings: assertValid(settings, given, now.secret_fields) };
      return { ...now, ...settings };
    };
    const mayWrite = (now: RegisteredModel) => this.assertMay(caller, 'write', now);
    const { secrets } = await this.sealed.preview(record, changed, given, mayWrite);
    return { ...(draft as NonNullable<typeof draft>), secrets };
  }
}

const isMoved = (before: Settings, after: Settings) =>
  before.endpoint_name !== after.endpoint_name ||
  JSON.stringify(before.cloud_credentials) !== JSON.stringify(after.cloud_credentials);
