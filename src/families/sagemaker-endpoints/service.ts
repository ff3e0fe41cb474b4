import type { Caller } from '../../contract/caller.ts';
import { Fault } from '../../contract/codes/faults.ts';
import { recordKey } from '../../domain/values/keys.ts';
import type { Target } from '../../resources/target.ts';
import { createRecord, type Test, updateRecord } from '../../resources/verified.ts';
import type { RegisteredModel, RegistrationInput, RegistrationUpdate } from './definition.ts';
import type { Registrations } from './records.ts';

/** Checks the endpoint before anything is stored. @throws Fault */
export type Inspector = (target: Target<RegisteredModel>) => Promise<void>;

export interface RegistrationResult {
  record: RegisteredModel;
  warnings: readonly string[];
}

const taken = () => new Fault('already_exists', 'A registered model of this name already exists');

/**
 * Nothing is stored before `inspect` has passed.
 * @param verify replaces `inspect`
 */
export async function register(
  models: Registrations,
  caller: Caller,
  body: RegistrationInput,
  inspect: Inspector,
  verify?: Test<RegisteredModel>,
): Promise<RegistrationResult> {
  const parsed = models.parse(body);
  const key = recordKey(body.model_name);
  const save = async (): Promise<RegistrationResult> => {
    if (verify) {
      const warnings: string[] = [];
      return { record: await createRecord(models, { caller, key, body: parsed, warnings }, verify), warnings };
    }
    const draft = await models.draft(parsed);
    await models.assertMayCreate(caller, key, parsed.open);
    await inspect(draft.target);
    return { record: await models.create(caller, key, draft), warnings: draft.target.warnings };
  };
  return save().catch(throwTaken);
}

function throwTaken(error: unknown): never {
  throw error instanceof Fault && error.code === 'duplicate_name' ? taken() : error;
}

/** The reply of a registration, without calling the cloud or writing. @throws Fault */
export function draftRegistration(
  models: Registrations,
  caller: Caller,
  body: RegistrationInput,
  warnings: string[],
): Promise<object> {
  return models.draftCreate(caller, recordKey(body.model_name), models.parse(body), warnings).catch(throwTaken);
}

/**
 * Calls `inspect` only if the endpoint or its credentials change.
 * @param verify replaces `inspect` and is always called
 */
export async function changeRegistration(
  models: Registrations,
  caller: Caller,
  body: RegistrationUpdate,
  condition: number | undefined,
  inspect: Inspector,
  verify?: Test<RegisteredModel>,
): Promise<RegistrationResult> {
  const parsed = models.parse(body);
  const key = recordKey(body.model_name);
  if (verify) {
    const warnings: string[] = [];
    return { record: await updateRecord(models, { caller, key, body: parsed, condition, warnings }, verify), warnings };
  }
  const planned = await models.planUpdate(caller, key, parsed, { condition });
  const { record, next, decision } = planned.plan;
  if (decision.changes || isMoved(record, next)) await inspect(await models.targetOf(planned));
  return { record: await models.saveUpdate(planned), warnings: planned.warnings };
}

type EndpointAddress = Pick<RegisteredModel, 'endpoint_name' | 'cloud_credentials'>;

const isMoved = (before: EndpointAddress, after: EndpointAddress) =>
  before.endpoint_name !== after.endpoint_name ||
  JSON.stringify(before.cloud_credentials) !== JSON.stringify(after.cloud_credentials);
