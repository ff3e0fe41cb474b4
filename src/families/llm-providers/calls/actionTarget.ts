import type { Json } from '../../../contract/basics.ts';
import { invalid } from '../../../contract/codes/faults.ts';
import { decideSecrets } from '../../../domain/secrets/secrets.ts';
import { hasBlob, takeApart } from '../credentials/blob.ts';
import { stored } from '../credentials/storedPaths.ts';
import { LLM_PROVIDERS } from '../providers/registry.ts';
import type { LlmConfigurations } from '../records/configurations.ts';
import { type LlmConnection, serviceSettingsOf } from '../records/connection.ts';
import { llmSpec, type OpenConnection } from '../records/records.ts';
import { type ActionTarget, targetOf } from '../records/savedAs.ts';
import type { LlmActionInput } from '../schemas.ts';
import { withBase } from '../settings.ts';

/**
 * The identity alone means the saved record; anything more is a configuration that is taken as it is given, except that
 * masked and absent secrets come from the connection of that name.
 * @throws Fault `not_found`, `validation_failed` and the faults of secrets
 */
export async function actionTarget(configurations: LlmConfigurations, input: LlmActionInput): Promise<ActionTarget> {
  const needsModel = input.action !== 'refresh_models' && input.probe !== 'list';
  const isGiven = hasBlob(input as Json);
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
  const submitted = takeApart(provider, input as Json, marks);
  if (submitted.problems.length > 0) throw invalid(submitted.problems);
  const settings = submitted.servicesettings ?? withBase({}, LLM_PROVIDERS[provider]);
  const connection =
    connection_name === undefined ? undefined : await configurations.connection(provider, connection_name);
  const given = stored(submitted.given, model ?? '');
  const secrets = connection
    ? (await configurations.sealed.preview(connection, (now) => connectionWith(now, settings), given)).secrets
    : decideSecrets(given, [], llmSpec.fieldOf).set;
  return {
    provider,
    model,
    target: targetOf(settings, secrets, marks),
    connectionName: connection?.connection_name ?? connection_name,
    savedKey: undefined,
  };
}

const connectionWith = (connection: LlmConnection, settings: Json): OpenConnection => ({
  ...connection,
  servicesettings: JSON.stringify(settings),
});
