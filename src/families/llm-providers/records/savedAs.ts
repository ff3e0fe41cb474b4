import type { Json } from '../../../contract/basics.ts';
import type { SealedRecords } from '../../../domain/records/sealed.ts';
import { Unsealed } from '../../../domain/records/sealedRecord.ts';
import { decideSecrets, type Secrets } from '../../../domain/secrets/secrets.ts';
import type { Marks } from '../credentials/credentials.ts';
import type { Provider } from '../names.ts';
import type { Target } from '../providers/provider.ts';
import { readSettings, secretFieldsOf, secretPath } from '../settings.ts';
import { type Change, changedConnection } from './changes.ts';
import { type LlmConnection, serviceSettingsOf } from './connection.ts';
import { llmSpec } from './records.ts';

/** The target of a test or a refresh. Holds secrets in the clear: it lives as long as the call. */
export interface ActionTarget {
  provider: Provider;
  model: string | undefined;
  target: Target;
  /** The connection's name as it is stored or was sent. */
  connectionName: string | undefined;
  /** Key of the saved configuration that is meant; undefined if the request brings its own: then nothing is saved. */
  savedKey: string | undefined;
}

/**
 * The target of a configuration as a save would leave it. Nothing is written.
 * @param now epoch seconds
 * @throws Fault `validation_failed` and the faults of secrets
 */
export async function savedAs(
  sealed: SealedRecords<LlmConnection>,
  connection: LlmConnection | undefined,
  change: Change,
  now: number,
): Promise<ActionTarget> {
  const { input, marks, given } = change;
  const changed = (record: LlmConnection | undefined) => changedConnection(record, change, now).open;
  const { record, secrets } = connection
    ? await sealed.preview(connection, changed, given)
    : new Unsealed(changed(undefined), decideSecrets(given, [], llmSpec.fieldOf).set);
  return {
    provider: input.service,
    model: input.model,
    target: targetOf(serviceSettingsOf(record), secrets, marks),
    connectionName: record.connection_name,
    savedKey: undefined,
  };
}

export function targetOf(settings: Json, secrets: Readonly<Secrets>, marks: Marks): Target {
  const secretFields = secretFieldsOf(marks);
  const clear = secretFields.map((field) => [field, secrets[secretPath(field)]]);
  return { settings: { ...readSettings(settings), ...Object.fromEntries(clear) }, secretFields };
}
