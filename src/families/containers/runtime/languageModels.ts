import { Fault } from '../../../contract/codes/faults.ts';
import type { RecordPlans } from '../../../contract/rows/recordPlan.ts';
import type { Stores } from '../../../domain/records/sealedRecord.ts';
import type { ContainerDependencies } from '../../../ports/engines/containerDependencies.ts';
import type { Http } from '../../../ports/llm/http.ts';
import type { RecordStore } from '../../../ports/stores/recordStore.ts';
import { type ProtocolName, protocolOf } from '../../../predictions/containers/registry.ts';
import { RUNTIMES } from '../connections/users.ts';
import { containerParts } from '../parts.ts';
import { reachContainer } from './reach.ts';
import { ACTIVE, type RuntimeStored, runtimeKey } from './records.ts';

const SERVES: ProtocolName = 'openai';

/** A container that serves a language model. */
export interface ServedModel {
  /** Name of the container. */
  name: string;
  /** Epoch seconds. */
  created_at: number;
}

/** Active containers that serve a language model, sorted by name. */
export async function servedModels(records: RecordStore): Promise<ServedModel[]> {
  const query = { protocol: SERVES, status: ACTIVE };
  const fields = ['model', 'started_at'];
  const containers = await records.find<Pick<RuntimeStored, '_key' | 'model' | 'started_at'>>(RUNTIMES, {
    query,
    fields,
    sort: 'model:1',
  });
  return containers.map(servedModel);
}

/** The container of this name, if it serves a language model or its protocol is not known yet. */
export async function findServed(records: RecordStore, name: string): Promise<ServedModel | undefined> {
  const record = await records.get<RuntimeStored>(RUNTIMES, runtimeKey(name));
  const protocol = protocolOf(record?.protocol) ?? SERVES;
  return record && protocol === SERVES ? servedModel(record) : undefined;
}

const servedModel = ({ model, started_at }: Pick<RuntimeStored, 'model' | 'started_at'>): ServedModel => ({
  name: model,
  created_at: started_at / 1000,
});

/** A server of language models in OpenAI's dialect. */
export interface ModelServer {
  /** With `/v1`. */
  endpoint: string;
  token: string | undefined;
  hidden: readonly string[];
  /** Sends its token to this server alone, under the trust of its connection. */
  http: Http;
}

/** @throws Fault `not_found`, `invalid_state`, `not_supported`; OutboundError `configuration_invalid` */
export async function openModelServer(
  stores: Stores,
  deps: ContainerDependencies,
  plans: RecordPlans,
  name: string,
): Promise<ModelServer> {
  const { model, protocol, target, hidden } = await reachContainer(containerParts(stores, deps, plans), name);
  if (protocol !== SERVES) {
    throw new Fault('not_supported', `The container ${model} serves no language model; it speaks ${protocol}`);
  }
  const { url, token } = target;
  const http: Http = {
    request: ({ method, url: whole, body, deadline }) =>
      deps.applications.request(target, { method, path: whole.slice(url.length), body, deadline }),
  };
  return { endpoint: `${url}/v1`, token, hidden, http };
}
