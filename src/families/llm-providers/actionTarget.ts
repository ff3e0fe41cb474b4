import { invalid } from '../../contract/faults.ts';
import { MASK } from '../../contract/mask.ts';
import { decide, type GivenSecrets, type Secrets } from '../../domain/secrets.ts';
import { hasBlob, takeApart } from './blob.ts';
import type { LlmConfigurations } from './configurations.ts';
import { type LlmConnection, type LlmJson, serviceSettingsOf } from './connection.ts';
import type { Marks } from './credentials.ts';
import { sealing } from './leftovers.ts';
import type { Provider } from './names.ts';
import type { Target } from './providers/provider.ts';
import { LLM_PROVIDERS } from './providers/registry.ts';
import { llmSpec, type OpenConnection } from './records.ts';
import type { LlmActionInput } from './schemas.ts';
import { readSettings, secretFieldsOf, secretPath, withBase } from './settings.ts';
import { stored } from './storedPaths.ts';

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
 * The identity alone means the saved record; anything more is a configuration that is taken as it is given, except that
 * masked and absent secrets come from the connection of that name.
 * @throws Fault `not_found`, `validation_failed` and the faults of secrets
 */
export async function actionTarget(configurations: LlmConfigurations, input: LlmActionInput): Promise<ActionTarget> {
  const needsModel = input.action !== 'refresh_models' && input.probe !== 'list';
  const isGiven = hasBlob(input as LlmJson);
  const missing = [
    ...(input.connection_name === undefined && !isGiven ? ['connection_name'] : []),
    ...(input.model === undefined && needsModel ? ['model'] : []),
  ];
  if (missing.length > 0) throw invalid(missing.map((field) => ({ field, message: 'is required' })));
  return isGiven ? givenTarget(configurations, input) : savedTarget(configurations, input);
}

async function savedTarget(configurations: LlmConfigurations, input: LlmActionInput): Promise<ActionTarget> {
  const { service: provider, connection_name = '', model } = input;
  const connection =
    model === undefined
      ? await configurations.connection(provider, connection_name)
      : (await configurations.get({ service: provider, connection_name, model })).connection;
  if (!connection) throw configurations.sealed.missing();
  const { record, secrets } = await configurations.sealed.unseal(connection);
  return {
    provider,
    model,
    target: targetOf(serviceSettingsOf(record), secrets, configurations.marks),
    connectionName: record.connection_name,
    savedKey: model === undefined ? undefined : record._key,
  };
}

async function givenTarget(configurations: LlmConfigurations, input: LlmActionInput): Promise<ActionTarget> {
  const { service: provider, connection_name, model } = input;
  const { marks } = configurations;
  const submitted = takeApart(provider, input as LlmJson, marks);
  if (submitted.problems.length > 0) throw invalid(submitted.problems);
  const settings = submitted.servicesettings ?? withBase({}, LLM_PROVIDERS[provider]);
  const connection =
    connection_name === undefined ? undefined : await configurations.connection(provider, connection_name);
  const given = withoutLeftovers(stored(submitted.given, model ?? ''), connection, marks);
  const secrets = connection
    ? (await configurations.sealed.preview(connection, (now) => connectionWith(now, settings), given)).secrets
    : decide(given, [], llmSpec.fieldOf).set;
  return {
    provider,
    model,
    target: targetOf(settings, secrets, marks),
    connectionName: connection?.connection_name ?? connection_name,
    savedKey: undefined,
  };
}

/** A mask may stand for a value that is not sealed yet. That is not a mistake, and such a value is never sent to a provider. */
function withoutLeftovers(given: GivenSecrets, connection: LlmConnection | undefined, marks: Marks): GivenSecrets {
  const left = (connection && sealing(connection, marks)?.secrets) ?? {};
  return Object.fromEntries(Object.entries(given).filter(([path, value]) => value !== MASK || !(path in left)));
}

const connectionWith = (connection: LlmConnection, settings: LlmJson): OpenConnection => ({
  ...connection,
  servicesettings: JSON.stringify(settings),
});

function targetOf(settings: LlmJson, secrets: Readonly<Secrets>, marks: Marks): Target {
  const secretFields = secretFieldsOf(marks);
  const clear = secretFields.map((field) => [field, secrets[secretPath(field)]]);
  return { settings: { ...readSettings(settings), ...Object.fromEntries(clear) }, secretFields };
}
