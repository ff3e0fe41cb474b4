import type { Action, ObservedState } from '../history/events.ts';
import type { Answer, Call } from '../site/client.ts';
import { type Family, hostOf, ifMatch, MASK, observedAcl, version, wireAcl } from './family.ts';

// biome-ignore lint/suspicious/noExplicitAny: records as replies have them
type Json = any;
const value = (item: unknown) => ({ value: item });
const mapIfSet = <T>(item: T | undefined, make: (item: T) => object): object => (item === undefined ? {} : make(item));
const byKey = (answer: Answer, field: string, show: (record: Json) => ObservedState): Map<string, ObservedState> =>
  new Map((answer.json.result as Json[]).map((record) => [String(record[field]).toLowerCase(), show(record)]));
const recordingHosts: Family['places'] = ({ hosts }) => hosts.map(({ name }) => name);
const fieldsOf = (action: Action) => ('fields' in action ? action.fields : {});

/** Reads, deletes and lists of a family whose records have addresses of their own. */
function readOrDelete(action: Action, one: string, list: string): Call | undefined {
  if (action.kind === 'read') return { method: 'GET', path: one };
  if (action.kind === 'list') return { method: 'GET', path: `${list}?count=0` };
  return action.kind === 'delete' ? { method: 'DELETE', path: one, ...ifMatch(action) } : undefined;
}

/** The body of a write of a family with details. */
function bodyWith(action: Action, key: string, details: object) {
  const { mark, acl } = fieldsOf(action);
  return {
    name: key,
    ...mapIfSet(mark, (description) => ({ description })),
    ...(Object.keys(details).length > 0 ? { details } : {}),
    ...wireAcl(acl),
    ...version(action),
  };
}

const mcp: Family = {
  name: 'mcp',
  hasAcl: true,
  writes: 'create',
  tests: true,
  removesSecret: true,
  writers: ['admin', 'anna', 'bert'],
  readers: ['admin', 'anna', 'bert', 'carl'],
  places: recordingHosts,
  call(action, key, hosts) {
    const path = '/mcp_connection';
    if (action.kind === 'test') return { method: 'POST', path: `${path}/test`, body: { name: key } };
    const { host, secret } = fieldsOf(action);
    const body = bodyWith(action, key, {
      ...mapIfSet(host, (name) => ({ url: `${hosts.url(name)}/mcp` })),
      ...mapIfSet(secret, (token) => ({ token: token ?? '' })),
    });
    if (action.kind === 'create') return { method: 'POST', path, body: { ...body, type: 'PLATFORM' } };
    return readOrDelete(action, `${path}/${key}`, path) ?? { method: 'PUT', path, body };
  },
  parseRecord: ({ json }) => observedMcp(json.config),
  parseList: (answer) => byKey(answer, 'name', observedMcp),
  met: ({ json }) => json.data?.server_info?.version,
};

const observedMcp = (config: Json) => ({
  version: config.version,
  mark: config.description,
  ...hostOf(config.details.url),
  hasSecret: config.details.token === MASK,
  ...observedAcl(config.acl),
});

const llm: Family = {
  name: 'llm',
  hasAcl: false,
  writes: 'save',
  tests: true,
  removesSecret: true,
  writers: ['admin', 'anna'],
  readers: ['admin', 'anna'],
  places: recordingHosts,
  call(action, key, hosts) {
    const identity = { service: 'General_Chat', connection_name: key, model: 'm' };
    if (action.kind === 'test') return { method: 'POST', path: '/aicommander_metadata', body: identity };
    const { mark, host, secret } = fieldsOf(action);
    const servicesettings = {
      endpoint: value(`${hosts.url(host ?? '')}/v1`),
      request_timeout: value(10),
      ...mapIfSet(secret, (token) => ({ access_token: value(token ?? '') })),
    };
    const body = { ...identity, servicesettings, modelsettings: { note: mark }, ...version(action) };
    return (
      readOrDelete(action, `/aicommander/General_Chat/${key}/m`, '/aicommander') ?? {
        method: 'POST',
        path: '/aicommander',
        body,
      }
    );
  },
  parseRecord: ({ json }) => observedLlm(json.config ?? json.updated_config),
  parseList: (answer) => byKey(answer, 'connection_name', observedLlm),
  met: ({ json }) => json.response_content,
};

const observedLlm = (config: Json) => ({
  version: config.version,
  mark: config.modelsettings.note,
  ...hostOf(config.servicesettings.endpoint.value),
  hasSecret: config.servicesettings.access_token?.value === MASK,
});

const vector: Family = {
  name: 'vector',
  hasAcl: true,
  writes: 'create',
  tests: false,
  removesSecret: true,
  writers: ['admin', 'anna', 'bert'],
  readers: ['admin', 'anna', 'bert', 'carl'],
  places: () => ['us-east-1', 'eu-west-1', 'ap-south-1'],
  call(action, key) {
    const path = '/vector_stores';
    const { host, secret } = fieldsOf(action);
    const keys = (token: string | null) => ({
      cloud_access_key_id: token === null ? '' : 'AKIAIOSFODNN7EXAMPLE',
      cloud_access_key_token: token ?? '',
    });
    const details = { ...mapIfSet(host, (cloud_region) => ({ cloud_region })), ...mapIfSet(secret, keys) };
    const body = bodyWith(action, key, details);
    if (action.kind === 'create')
      return {
        method: 'POST',
        path,
        body: { ...body, type: 'CLOUD_KB', details: { ...details, kb_id: 'ABCDEFGHIJ' } },
      };
    if (action.kind === 'read') return { method: 'GET', path: `${path}?name=${key}` };
    return readOrDelete(action, `${path}/${key}`, path) ?? { method: 'PUT', path, body };
  },
  parseRecord: ({ json }) => observedVector(json.config),
  parseList: (answer) => byKey(answer, 'name', observedVector),
};

const observedVector = (config: Json) => ({
  version: config.version,
  mark: config.description,
  host: config.details.cloud_region,
  hasSecret: config.details.cloud_access_key_token === MASK,
  ...observedAcl(config.acl),
});

const container: Family = {
  name: 'container',
  hasAcl: false,
  writes: 'create',
  tests: true,
  removesSecret: false,
  writers: ['admin', 'anna'],
  readers: ['admin', 'anna'],
  places: recordingHosts,
  call(action, key, hosts) {
    const identity = { container_type: 'kubernetes', connection_name: key };
    if (action.kind === 'test')
      return {
        method: 'POST',
        path: '/test_container_connection',
        body: { payload: { ...identity, is_edit: 'true' } },
      };
    const { mark, host, secret } = fieldsOf(action);
    const payload = {
      ...identity,
      is_edit: action.kind === 'create' ? 'false' : 'true',
      ...(action.kind === 'create' ? { auth_mode: 'user-token', service_type: 'nodeport' } : {}),
      ...mapIfSet(mark, (text) => ({ node_port_hostname_external: text })),
      ...mapIfSet(host, (name) => ({ cluster_url: hosts.url(name) })),
      // The token of the containers goes to the cluster too, so it is bound to the address as well.
      ...mapIfSet(secret, (token) => ({ user_token: token, api_token: `${token}` })),
    };
    const list = '/container_connection/kubernetes';
    return (
      readOrDelete(action, `${list}/${key}`, list) ?? {
        method: 'POST',
        path: '/container_connection',
        body: { payload },
        ...ifMatch(action),
      }
    );
  },
  parseRecord: ({ json }) => observedContainer(json.config ?? json.updated_config),
  parseList: (answer) => byKey(answer, 'connection_name', observedContainer),
  // The recording host is no cluster: the verification always fails, after it has sent the token.
  failedTest: ({ json }) => json?.error_code === 'verification_failed',
};

const observedContainer = (config: Json) => ({
  version: config.version,
  mark: config.node_port_hostname_external,
  ...hostOf(config.cluster_url),
  hasSecret: config.user_token === MASK,
});

const experiment: Family = {
  name: 'experiment',
  hasAcl: true,
  writes: 'post-with-id',
  tests: false,
  removesSecret: false,
  writers: ['admin', 'anna', 'bert', 'carl'],
  readers: ['admin', 'anna', 'bert', 'carl'],
  places: () => [''],
  call(action, key) {
    const path = '/experiments';
    const { name: _, ...body } = bodyWith(action, key, {});
    if (action.kind === 'create')
      return { method: 'POST', path, body: { ...body, title: 'tortured', type: 'smart_forecast' } };
    return readOrDelete(action, `${path}/${key}`, path) ?? { method: 'POST', path: `${path}/${key}`, body };
  },
  parseRecord: ({ json }) => observedExperiment(json.config),
  parseList: (answer) => byKey(answer, 'experiment_id', observedExperiment),
};

const observedExperiment = (config: Json) => ({
  version: config.version,
  mark: config.description,
  ...observedAcl(config.acl),
});

export const FAMILIES: readonly Family[] = [mcp, llm, vector, container, experiment];
