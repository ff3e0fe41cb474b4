import { isObject, type Json } from '../../../contract/basics.ts';
import type { Caller } from '../../../contract/caller.ts';
import { OutboundError } from '../../../contract/codes/outbound.ts';
import type { RecordPlans } from '../../../contract/rows/recordPlan.ts';
import type { Stores } from '../../../domain/records/sealedRecord.ts';
import type { Http } from '../../../ports/llm/http.ts';
import type { LlmDependencies } from '../../../ports/llm/llmDependencies.ts';
import type { Upstream } from '../../../ports/platform/upstream.ts';
import { Resources } from '../../../resources/resources.ts';
import { Target } from '../../../resources/target.ts';
import type { ReadModel } from '../inventory.ts';
import { LIMITS } from '../names.ts';
import type { Target as CallTarget, LlmClient } from '../providers/provider.ts';
import { LLM_PROVIDERS, openAiClient } from '../providers/registry.ts';
import { entryOf, isSaved, type LlmIdentity, llmConnectionKey } from '../records/connection.ts';
import { FAMILY, llmKind } from '../records/kind.ts';
import { type LlmTarget, toLlmTarget } from '../records/target.ts';
import { missingToCall } from '../rules.ts';
import { clientWithTokens } from './clientTokens.ts';

/** The client of a configuration's provider, and how long a call with all its retries may take. */
interface OpenClient {
  client: LlmClient;
  timeoutMs: number;
}

/** A saved model, ready to be called. */
export interface OpenModel extends LlmIdentity, OpenClient {
  /** `max_tokens` of the configuration: default and maximum. */
  maxTokens: number | undefined;
  /** `response_variability` of the configuration. */
  temperature: number | undefined;
}

/**
 * Reads a configuration, unless its connection has been read, and its secrets. The caller's rights are not checked here.
 * @throws Fault `not_found`; OutboundError `configuration_invalid`
 */
export async function openModel(
  stores: Stores,
  deps: LlmDependencies,
  plans: RecordPlans,
  caller: Caller,
  { service, connection_name, model, connection }: LlmIdentity & Partial<ReadModel>,
): Promise<OpenModel> {
  const connections = new Resources(llmKind, stores, plans[FAMILY]);
  const unsealed = connection
    ? await connections.sealed.unseal(connection)
    : await connections.unsealed(caller, llmConnectionKey(service, connection_name));
  const { record } = unsealed;
  const entry = entryOf(record, model);
  if (!entry || !isSaved(entry)) throw connections.sealed.notFound();
  return {
    service: record.service,
    connection_name: record.connection_name,
    model,
    ...openClient(toLlmTarget(connections, Target.saved(unsealed), model), deps),
    maxTokens: numberAt(entry.blob, 'max_tokens'),
    temperature: numberAt(entry.blob, 'response_variability'),
  };
}

/** A server of OpenAI's dialect that no configuration describes. */
export interface OpenAiServer {
  /** Base address. */
  endpoint: string;
  token: string | undefined;
  /** Redacted from messages. */
  hidden: readonly string[];
  http: Http;
}

/** Asks the first model that the server lists. */
export function openServer({ endpoint, token, hidden, http }: OpenAiServer): LlmClient {
  const client = openAiClient({ settings: { endpoint, access_token: token, verify_tls: true }, hidden }, { http });
  let served: string | undefined;
  const first = async (upstream: Upstream): Promise<string> => {
    served ??= (await upstream.request(() => client.list(upstream), { isCounted: false })).ids[0];
    if (served === undefined) throw new OutboundError('model_not_found', 'The server lists no model');
    return served;
  };
  return {
    chat: async (_, request, upstream) => client.chat(await first(upstream), request, upstream),
    embed: async (_, request, upstream) => client.embed(await first(upstream), request, upstream),
    list: (deadline) => client.list(deadline),
  };
}

/** @throws OutboundError `configuration_invalid` */
export function openClient({ provider, target, connectionName }: LlmTarget, deps: LlmDependencies): OpenClient {
  const missing = missingToCall(provider, target.settings);
  if (missing.length > 0) {
    const which = connectionName === undefined ? 'The configuration' : `The configuration ${connectionName}`;
    throw new OutboundError('configuration_invalid', `${which} lacks ${missing.join(', ')}, which ${provider} needs`);
  }
  const open = (callable: CallTarget) => LLM_PROVIDERS[provider].client(callable, deps);
  const { oauth } = target.settings;
  return {
    client: oauth ? clientWithTokens(target, oauth, deps, open) : open(target),
    timeoutMs: 1000 * (target.settings.request_timeout ?? LIMITS.request_timeout.default),
  };
}

/** A setting of the model; undefined when it is not set. */
function numberAt({ modelsettings }: Json, name: string): number | undefined {
  const field = isObject(modelsettings) ? modelsettings[name] : undefined;
  const value = isObject(field) ? field.value : undefined;
  return typeof value === 'number' ? value : undefined;
}
