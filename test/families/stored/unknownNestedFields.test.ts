import { expect } from 'chai';
import { CAPABILITIES } from '../../../src/contract/capabilities.ts';
import { furnish } from '../../suites/configuration/site.ts';
import { MemoryApp } from '../../support/memory/app.ts';

type Json = Record<string, unknown> & { _key: string };

interface Family {
  name: string;
  collection: string;
  is: (doc: Json) => boolean;
  /** The nested objects that an update merges; the parts of JSON texts are named like the others. */
  objects: readonly string[];
  read(key: string): string;
  /** @param config what a read answers */
  save(config: Json, key: string): [method: string, path: string, body: object];
}

const named =
  (name: string, field = 'name') =>
  (doc: Json) =>
    doc[field] === name;

const FAMILIES: readonly Family[] = [
  {
    ...{ name: 'an MCP connection', collection: 'ml_mcp_connections', is: named('Tracker') },
    objects: ['details', 'acl', 'acl.perms'],
    read: () => '/mcp_connection/Tracker',
    save: (config) => ['PUT', '/mcp_connection', config],
  },
  {
    ...{ name: 'an LLM connection', collection: 'ml_llm_connections', is: named('Team', 'connection_name') },
    objects: ['models.0', 'models.1'],
    read: () => '/aicommander/General_Chat/Team/gpt-4.1',
    save: (config) => ['POST', '/aicommander', config],
  },
  {
    ...{ name: 'a container connection', collection: 'ml_container_connections', is: named('Lab', 'connection_name') },
    objects: ['token_ends'],
    read: () => '/container_connection/docker/Lab',
    save: (config) => ['POST', '/container_connection', { payload: { ...config, is_edit: 'true' } }],
  },
  {
    ...{ name: 'a vector store', collection: 'ml_vector_stores', is: named('Handbook') },
    objects: ['details', 'acl', 'acl.perms'],
    read: () => '/vector_stores/Handbook',
    save: (config) => ['PUT', '/vector_stores', config],
  },
  {
    ...{ name: 'a registered model', collection: 'ml_registered_models', is: named('forecast', 'model_name') },
    objects: ['cloud_credentials', 'acl', 'acl.perms'],
    read: () => '/register_model?model_name=forecast',
    save: (config) => ['PUT', '/register_model', config],
  },
  {
    ...{ name: 'an experiment', collection: 'ml_experiments', is: named('the first', 'description') },
    objects: ['outline', 'outline.data_source', 'outline.schedule', 'acl', 'acl.perms'],
    read: (key) => `/experiments/${key}`,
    save: (config, key) => ['POST', `/experiments/${key}`, config],
  },
  {
    ...{ name: 'an agent', collection: 'ml_agents', is: named('triage') },
    objects: ['llm', 'mcps.0', 'acl', 'acl.perms', 'tracking', 'order'],
    read: () => '/agents/triage',
    save: (config) => ['PUT', '/agents', config],
  },
];

/** What is JSON text in the store. */
const TEXTS = ['outline', 'models'];

describe('a nested field that only another version of the app knows', () => {
  let app: MemoryApp;
  beforeEach(async () => {
    app = new MemoryApp();
    // Replies leave such fields out and log them.
    app.strict = false;
    app.cloud.newborn = 'READY';
    app.user('keeper', { roles: ['keeper'], capabilities: Object.keys(CAPABILITIES) });
    app.roles.define(['keeper', 'power'], {});
    await furnish((method, path, body) => app.call('keeper', method, path, body), 'one.example');
  });

  for (const { name, collection, is, objects, read, save } of FAMILIES) {
    const stored = () => app.site.records.all(collection).find((doc) => is(doc as Json)) as Json;
    const ok = async (method: string, path: string, body?: object) => {
      const { status, json } = await app.call('keeper', method, path, body);
      expect(status, `${method} ${path} ${JSON.stringify(json)}`).to.equal(200);
      expect(JSON.stringify(json), 'a reply').not.to.contain('known_later');
      return json;
    };

    it(`survives an update of ${name}`, async () => {
      const doc = opened(stored());
      for (const path of objects) Object.assign(at(doc, path), later(path));
      app.site.records.collection(collection).set(doc._key, JSON.stringify(closed(doc)));
      const { config } = await ok('GET', read(doc._key));
      const acl = config.acl && { ...config.acl, perms: { read: ['*'], write: [] } };
      await ok(...save({ ...config, ...(acl ? { acl } : {}) }, doc._key));
      const after = opened(stored());
      expect(after.version).to.equal(Number(doc.version) + 1);
      for (const path of objects) expect(at(after, path), path).to.deep.include(later(path));
    });
  }
});

const at = (doc: Json, path: string) => path.split('.').reduce((node, key) => node[key] as Json, doc);
const texts = (doc: Json) => TEXTS.filter((field) => typeof doc[field] === 'string');
const opened = (doc: Json): Json => ({
  // Absent if no token has an end.
  ...('docker_url' in doc ? { token_ends: {} } : {}),
  ...doc,
  ...Object.fromEntries(texts(doc).map((field) => [field, JSON.parse(String(doc[field]))])),
});
const closed = (doc: Json): Json => ({
  ...doc,
  ...('outline' in doc ? { outline: JSON.stringify(doc.outline) } : {}),
  ...('servicesettings' in doc ? { models: JSON.stringify(doc.models) } : {}),
});
/** Ends of tokens are numbers. The model that was saved last is the last one of its connection. */
const later = (path: string) => ({
  known_later: path === 'token_ends' ? 4_000_000_000 : { deep: [path.replace(/\.\d$/, '')] },
});
