import { MASK } from '../../../contract/basics.ts';
import { Fault } from '../../../contract/codes/faults.ts';
import type { SealedRecords } from '../../../domain/records/sealed.ts';
import { SecretsLost } from '../../../domain/records/sealedRecord.ts';
import { fitHeaders } from '../../../domain/secrets/secretHeaders.ts';
import type { Secrets, SubmittedSecrets } from '../../../domain/secrets/secrets.ts';
import { HEADERS, isShared } from '../credentials/credentials.ts';
import { type LlmConnection, type LlmModel, modelsOf, storedModels } from './connection.ts';

/** Each try reads the connection afresh: meanwhile others may create, change or delete it. */
const MAX_TRIES = 8;

/** Somebody else changed the connection first: the change is to be made of the new state. */
export class ConcurrentChange extends Error {}

/** @throws Fault `store_unavailable` when others keep changing the connection */
export async function retryOnConflict<T>(attempt: () => Promise<T>, retryCodes: readonly string[] = []): Promise<T> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    try {
      return await attempt();
    } catch (error) {
      const isRetried = error instanceof Fault && retryCodes.includes(error.code);
      if (!isRetried && !(error instanceof ConcurrentChange)) throw error;
    }
  }
  throw new Fault('store_unavailable', 'Other callers keep changing this connection. Try again.');
}

/** Version 0 stands for a record that does not exist. @throws Fault `version_conflict` */
export function assertVersion(entry: LlmModel | undefined, condition: number | undefined): void {
  const current = entry?.version ?? 0;
  if (condition === undefined || condition === current) return;
  const message = entry
    ? `The record has version ${current}, not ${condition}: read it again`
    : 'The record no longer exists: create it without a version';
  throw conflict(message, entry);
}

export const conflict = (message: string, entry: LlmModel | undefined): Fault =>
  new Fault('version_conflict', message, { current_version: entry?.version ?? 0 });

/** @throws ConcurrentChange where the model is the only one that is left */
export function withoutModel(connection: LlmConnection, model: string): LlmConnection {
  const models = modelsOf(connection).filter((entry) => entry.model !== model);
  if (models.length === 0) throw new ConcurrentChange();
  return { ...connection, ...storedModels(models) };
}

/** The outcome of a test does not change the version. */
export const isSameVersion = (a: LlmConnection, b: LlmConnection) =>
  a.version === b.version && a.created_at === b.created_at;

/** The connection is deleted with its last model, and only then. */
export function assertOnlyModel(record: LlmConnection, guard: (record: LlmConnection) => void): void {
  guard(record);
  if (modelsOf(record).length > 1) throw new ConcurrentChange();
}

/** Paths of secrets that were sent again with the value they already have: nothing changes for the other models. */
export async function resentPaths(
  sealed: Pick<SealedRecords<LlmConnection>, 'unseal'>,
  connection: LlmConnection,
  input: SubmittedSecrets,
): Promise<string[]> {
  const submitted = fitHeaders(HEADERS, input, connection.secret_fields);
  const newPaths = Object.keys(submitted).filter(
    (path) => isShared(path) && submitted[path] !== null && submitted[path] !== MASK,
  );
  if (!newPaths.some((path) => connection.secret_fields.includes(path))) return [];
  // Secrets that can no longer be read may be just what this write replaces.
  const secrets = await sealed
    .unseal(connection, () => {}, 0)
    .then(
      (unsealed): Secrets => unsealed.secrets,
      (error: unknown): Secrets => {
        if (error instanceof SecretsLost) return {};
        throw error;
      },
    );
  return newPaths.filter((path) => secrets[path] === submitted[path]);
}
