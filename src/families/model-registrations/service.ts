import type { Caller } from '../../contract/caller.ts';
import { Fault } from '../../contract/faults.ts';
import { changedAcl, newAcl } from '../../domain/acl.ts';
import { recordKey } from '../../domain/keys.ts';
import type { Target } from '../../resources/target.ts';
import type { Registrations } from './records.ts';
import type { RegistrationInput, RegistrationUpdate } from './schemas.ts';
import { REGISTERED_MODELS, type RegisteredModel } from './stored.ts';

/** Has the endpoint checked before anything is stored. @throws Fault */
export type Inspect = (target: Target<RegisteredModel>) => Promise<void>;

const taken = () => new Fault('already_exists', 'A registered model of this name already exists');

/** Nothing is stored before `inspect` has passed, so a failed registration leaves nothing behind. */
export async function register(
  models: Registrations,
  caller: Caller,
  body: RegistrationInput,
  inspect: Inspect,
): Promise<Target<RegisteredModel>> {
  const draft = await models.draft(models.parse(body));
  const key = recordKey(body.model_name);
  // Before the cloud is asked: what can be refused at once is.
  newAcl(caller, body.acl);
  if (await models.stores.records.get(REGISTERED_MODELS, key)) throw taken();
  await inspect(draft.target);
  await models.create(caller, key, draft).catch((error: unknown) => {
    throw error instanceof Fault && error.code === 'duplicate_name' ? taken() : error;
  });
  return draft.target;
}

/** `inspect` is asked only when the endpoint or the way to it changes. */
export async function changeRegistration(
  models: Registrations,
  caller: Caller,
  body: RegistrationUpdate,
  condition: number | undefined,
  inspect: Inspect,
): Promise<{ record: RegisteredModel; warnings: readonly string[] }> {
  const sent = models.parse(body);
  const key = recordKey(body.model_name);
  const seen = await models.get(caller, key, 'write');
  // Before the cloud is asked, too. The update decides again, on the record as it is then.
  changedAcl(caller, seen.acl, body.acl);
  models.sealed.assertVersion(seen, condition);
  const target = await models.preview(seen, sent, (now) => models.assertMay(caller, 'write', now));
  const { changes } = models.sealed.decided(sent.given, seen.secret_fields);
  if (changes || isMoved(seen, target.record)) await inspect(target);
  return { record: await models.update(caller, key, sent, { condition, seen }), warnings: target.warnings };
}

type Place = Pick<RegisteredModel, 'endpoint_name' | 'cloud_credentials'>;

const isMoved = (before: Place, after: Place) =>
  before.endpoint_name !== after.endpoint_name ||
  JSON.stringify(before.cloud_credentials) !== JSON.stringify(after.cloud_credentials);
