import type { KeyedPeer } from '../../support/peers/keyed.ts';

type Json = Record<string, unknown>;

/** How the suite saves and reads records of a family. */
export interface VerifiedFamily {
  path: string;
  collection: string;
  update: 'PUT' | 'POST';
  taken: string;
  /** A whole record. */
  completeBody(peer: KeyedPeer, name: string, key: string): Json;
  /** A change of nothing but the key; the mask keeps the one that is stored. */
  rotation(peer: KeyedPeer, name: string, key: string): Json;
  /** A change of something that has nothing to do with the server. */
  remark(name: string, text: string): Json;
  /** That text, of a record as it is shown. */
  remarkOf(view: Json): unknown;
  /** A change that the stored key must not follow. */
  move(other: KeyedPeer, name: string): Json;
  /** A change of the server, where a record says which it is, and of the key. */
  elsewhere?(to: KeyedPeer, name: string, key: string): Json;
  /** Makes the server answer, with a good key, that it is of no use; the code for that. */
  unready?(peer: KeyedPeer): string;
  /** Malformed, in the field that is named. */
  malformed(peer: KeyedPeer, name: string): [body: Json, field: string];
  /** Reads one, and removes it. */
  one(name: string): string;
  test(name: string): [path: string, body: Json];
  /** The key, of the stored secrets. */
  secret: string;
  /** Whether an access list decides. */
  acl: boolean;
}

/** Long enough to be looked for, and such as the dialects of all families may have it. */
export const keyOf = (name: string) => `canary/${name}+key9d55e2a8XXXXXXXXXXXXXXX`.padEnd(40, 'X');

const KEY_ID = 'AKIAIOSFODNN7EXAMPLE';
const REGION = 'eu-central-1';
const NO_REGION = 'nowhere';
const encoded = encodeURIComponent;
const LLM = { service: 'General_Chat', model: 'gpt-4o-mini' };

export const VERIFIED: Readonly<Record<string, VerifiedFamily>> = {
  'MCP connections': {
    path: '/mcp_connection',
    collection: 'ml_mcp_connections',
    update: 'PUT',
    taken: 'duplicate_name',
    completeBody: (peer, name, token) => ({ name, type: 'PLATFORM', details: { url: `${peer.url}/mcp`, token } }),
    rotation: (_, name, token) => ({ name, details: { token } }),
    remark: (name, description) => ({ name, description }),
    remarkOf: ({ description }) => description,
    move: (other, name) => ({ name, details: { url: `${other.url}/mcp` } }),
    elsewhere: (to, name, token) => ({ name, details: { url: `${to.url}/mcp`, token } }),
    malformed: (_, name) => [{ name, details: { url: 'ftp://x' } }, 'details.url'],
    one: (name) => `/mcp_connection/${encoded(name)}`,
    test: (name) => ['/mcp_connection/test', { name }],
    secret: 'details/token',
    acl: true,
  },
  'LLM configurations': {
    path: '/aicommander',
    collection: 'ml_llm_connections',
    update: 'POST',
    taken: 'version_conflict',
    completeBody: (peer, connection_name, key) => ({ ...LLM, connection_name, servicesettings: settings(peer, key) }),
    rotation: (peer, connection_name, key) => ({ ...LLM, connection_name, servicesettings: settings(peer, key) }),
    remark: (connection_name, text) => ({ ...LLM, connection_name, modelsettings: { remark: text } }),
    remarkOf: ({ modelsettings }) => (modelsettings as Json | undefined)?.remark,
    move: (other, connection_name) => ({ ...LLM, connection_name, servicesettings: settings(other) }),
    elsewhere: (to, connection_name, key) => ({ ...LLM, connection_name, servicesettings: settings(to, key) }),
    malformed: (_, connection_name) => [
      { ...LLM, connection_name, servicesettings: { endpoint: { value: 'ftp://x' } } },
      'servicesettings.endpoint.value',
    ],
    one: (name) => `/aicommander/General_Chat/${encoded(name)}/${LLM.model}`,
    test: (connection_name) => ['/aicommander_metadata', { ...LLM, connection_name }],
    secret: 'servicesettings/access_token/value',
    acl: false,
  },
  'vector stores': {
    path: '/vector_stores',
    collection: 'ml_vector_stores',
    update: 'PUT',
    taken: 'duplicate_name',
    completeBody: (_, name, key) => ({
      name,
      type: 'CLOUD_KB',
      details: { cloud_region: REGION, kb_id: 'ABCDE12345', cloud_access_key_id: KEY_ID, cloud_access_key_token: key },
    }),
    rotation: (_, name, key) => ({ name, details: { cloud_access_key_token: key } }),
    remark: (name, description) => ({ name, description }),
    remarkOf: ({ description }) => description,
    move: (_, name) => ({ name, details: { cloud_region: 'us-east-1' } }),
    unready: (peer) => {
      peer.states.knowledgeBase = 'CREATING';
      return 'kb_not_active';
    },
    malformed: (_, name) => [{ name, details: { cloud_region: NO_REGION } }, 'details.cloud_region'],
    one: (name) => `/vector_stores/${encoded(name)}`,
    test: (name) => ['/vector_stores/test', { name }],
    secret: 'details/cloud_access_key_token',
    acl: true,
  },
  'registered models': {
    path: '/register_model',
    collection: 'ml_registered_models',
    update: 'PUT',
    taken: 'already_exists',
    completeBody: (_, model_name, key) => ({
      model_name,
      endpoint_name: 'ready',
      cloud_credentials: { region: REGION, access_key_id: KEY_ID, secret_access_key: key },
    }),
    rotation: (_, model_name, key) => ({ model_name, cloud_credentials: { secret_access_key: key } }),
    remark: (model_name, text) => ({ model_name, input_feature_map: { remark: text } }),
    remarkOf: ({ input_feature_map }) => (input_feature_map as Json | undefined)?.remark,
    move: (_, model_name) => ({ model_name, cloud_credentials: { region: 'us-east-1' } }),
    unready: (peer) => {
      peer.states.endpoint = 'Updating';
      return 'endpoint_not_in_service';
    },
    malformed: (_, model_name) => [
      { model_name, cloud_credentials: { region: NO_REGION } },
      'cloud_credentials.region',
    ],
    one: (name) => `/register_model?model_name=${encoded(name)}`,
    test: (model_name) => ['/register_model?test_connection=1', { model_name }],
    secret: 'cloud_credentials/secret_access_key',
    acl: true,
  },
};

const settings = (peer: KeyedPeer, key?: string) => ({
  endpoint: { value: `${peer.url}/v1` },
  ...(key === undefined ? {} : { access_token: { value: key } }),
});
