import { invalid } from '../../contract/faults.ts';
import { decide } from '../../domain/secrets.ts';
import { hasBlob, takeApart } from './blob.ts';
import type { LlmConfigurations } from './configurations.ts';
import { type LlmConnection, type LlmJson, serviceSettingsOf } from './connection.ts';
import { LLM_PROVIDERS } from './providers/registry.ts';
import { llmSpec, type OpenConnection } from './records.ts';
import { type ActionTarget, targetOf } from './savedAs.ts';
import type { LlmActionInput } from './schemas.ts';
import { withBase } from './settings.ts';
import { stored } from './storedPaths.ts';

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
  const given = stored(submitted.given, model ?? '');
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

const connectionWith = (connection: LlmConnection, settings: LlmJson): OpenConnection => ({
  ...connection,
  servicesettings: JSON.stringify(settings),
});
