import { createOutbound } from '../../../../src/adapters/outbound/outbound.ts';
import { postgresServers } from '../../../../src/adapters/sql/postgres.ts';
import type { Json } from '../../../../src/contract/basics.ts';
import { startDeadline } from '../../../../src/domain/async/deadline.ts';
import { unmetered } from '../../../../src/domain/async/unmetered.ts';
import { UnsealedRecord } from '../../../../src/domain/records/sealedRecord.ts';
import type { StoreStored } from '../../../../src/families/vector-stores/definition.ts';
import type { StoreDependencies } from '../../../../src/families/vector-stores/kinds/kind.ts';
import { kindOf } from '../../../../src/families/vector-stores/kinds/registry.ts';
import type { VectorQuery } from '../../../../src/families/vector-stores/queries/vectorQuery.ts';
import { unmasked } from '../../../../src/masking/checkedBody.ts';
import type { Passage } from '../../../../src/ports/cloud/passages.ts';
import { Target } from '../../../../src/resources/target.ts';
import { MemoryPlatform } from '../../../support/memory/platform.ts';
import type { Peer } from '../../../support/peers/listen.ts';
import { type Postgres, preparePostgres, SUPERUSER, startPostgres } from '../../../support/peers/stores/postgres.ts';
import {
  prepareSearchServer,
  type SearchServerMake,
  startSearchServer,
} from '../../../support/peers/stores/searchServers.ts';
import { storeDependencies } from '../../../support/storeDependencies.ts';

const POLICY = { allowPrivate: true };
const databases = postgresServers(POLICY);

/** The stores' own servers are real. */
export const serverDependencies = (stores = new MemoryPlatform().process()): StoreDependencies =>
  storeDependencies({ llm: { http: createOutbound(POLICY) }, sqlServers: databases, stores });

/** A row that somebody wrote: its key, text, vector and metadata. */
export interface Row {
  id: string;
  text: string;
  vector: readonly number[];
  metadata: Json;
}

/** A server with one kind of store. */
export interface World {
  name: string;
  /** Of its server; set in a process that did not start it. */
  address: string;
  /** @returns why it cannot be had */
  prepare(): Promise<string | undefined>;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Makes a table or index for vectors of this length. */
  create(name: string, dimensions: number): Promise<void>;
  /** Runs statements as the guide shows them. */
  define(statements: string): Promise<void>;
  put(name: string, rows: readonly Row[]): Promise<void>;
  drop(name: string, keys: readonly string[]): Promise<void>;
  /** All rows of others and ours, by key. */
  rows(name: string): Promise<Record<string, string>>;
  /** The record of a store. */
  target(name: string, details?: object, secrets?: Record<string, string>): Target<StoreStored>;
}

const EMBEDDING = { embedding_model: 'c/m' };

export const targetOf = (type: 'OPENSEARCH' | 'PGVECTOR', details: object, secrets: Record<string, string>) => {
  const record = { name: 'docs', type, description: '', details } as unknown as StoreStored;
  return Target.draft<StoreStored>(new UnsealedRecord(record, secrets), []);
};

export async function search(
  target: Target<StoreStored>,
  query: VectorQuery,
  ms = 20_000,
  dependencies = serverDependencies(),
): Promise<readonly Passage[]> {
  using deadline = startDeadline(ms);
  const ask = kindOf(target.record.type).search(target, dependencies);
  return await ask(unmasked(query), unmetered(deadline));
}

export class PgWorld implements World {
  readonly name = 'PostgreSQL';
  server: Postgres | undefined;
  prepare = preparePostgres;

  get address(): string {
    return String(this.server?.port);
  }

  set address(port: string) {
    this.server = { port: Number(port), pid: 0, close: async () => {} };
  }

  async start(): Promise<void> {
    this.server = await startPostgres();
    await this.run('CREATE EXTENSION vector');
  }

  async stop(): Promise<void> {
    await this.server?.close();
  }

  access = () => ({
    ...{ host: '127.0.0.1', port: this.server?.port ?? 0, database: 'postgres', ...SUPERUSER },
    ...{ tls: 'off' as const, secrets: [] },
  });

  async run(statement: string, values: (string | null)[] = []) {
    using deadline = startDeadline(20_000);
    return await databases.connected(this.access(), deadline, (session) => session.query(statement, values));
  }

  async create(name: string, dimensions: number): Promise<void> {
    await this.run(
      `CREATE TABLE "${name}" (id text PRIMARY KEY, body text, embedding vector(${dimensions}), facts jsonb)`,
    );
  }

  async define(statements: string): Promise<void> {
    for (const statement of statements.split(/;\s*/).filter((each) => each !== '')) await this.run(statement);
  }

  async put(name: string, rows: readonly Row[]): Promise<void> {
    for (const { id, text, vector, metadata } of rows) {
      const values = [id, text, `[${vector.join(',')}]`, JSON.stringify(metadata)];
      await this.run(`INSERT INTO "${name}" VALUES ($1, $2, $3, $4)`, values);
    }
  }

  async drop(name: string, keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.run(`DELETE FROM "${name}" WHERE id = $1`, [key]);
  }

  async rows(name: string): Promise<Record<string, string>> {
    const rows = await this.run(`SELECT id, body FROM "${name}"`);
    return Object.fromEntries(rows.map(({ id, body }) => [id, body]));
  }

  target(name: string, details: object = {}, secrets: Record<string, string> = {}): Target<StoreStored> {
    const { host, port, database, username, password } = this.access();
    const columns = { id_column: 'id', text_column: 'body', vector_column: 'embedding', metadata_column: 'facts' };
    const whole = { host, port, database, table: name, username, ssl: 'off', ...columns, ...EMBEDDING, ...details };
    return targetOf('PGVECTOR', whole, { 'details/password': password, ...secrets });
  }
}

class SearchWorld implements World {
  readonly name: string;
  readonly #make: SearchServerMake;
  #server: (Pick<Peer, 'url'> & Partial<Peer>) | undefined;

  constructor(make: SearchServerMake) {
    this.#make = make;
    this.name = make;
  }

  prepare = () => prepareSearchServer(this.#make);

  async start(): Promise<void> {
    this.#server = await startSearchServer(this.#make);
  }

  async stop(): Promise<void> {
    await this.#server?.close?.();
  }

  get address(): string {
    return this.url;
  }

  set address(url: string) {
    this.#server = { url };
  }

  get url(): string {
    return this.#server?.url ?? '';
  }

  async call(method: string, path: string, body?: object | string): Promise<Json> {
    const answer = await fetch(`${this.url}/${path}`, {
      method,
      headers: { 'content-type': typeof body === 'string' ? 'application/x-ndjson' : 'application/json' },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const json = (await answer.json()) as Json;
    if (!answer.ok) throw new Error(JSON.stringify(json));
    return json;
  }

  async create(name: string, dimensions: number): Promise<void> {
    const isElastic = this.#make === 'elasticsearch';
    const method = { name: 'hnsw', engine: 'lucene', space_type: 'cosinesimil' };
    const embedding = isElastic
      ? { type: 'dense_vector', dims: dimensions, index: true, similarity: 'cosine', index_options: { type: 'hnsw' } }
      : { type: 'knn_vector', dimension: dimensions, method };
    const settings = { number_of_shards: 1, number_of_replicas: 0, ...(isElastic ? {} : { 'index.knn': true }) };
    const properties = { embedding, body: { type: 'text' }, facts: { type: 'object', dynamic: true } };
    await this.call('PUT', name, { settings, mappings: { date_detection: false, properties } });
  }

  async define(statements: string): Promise<void> {
    const [, method = '', path = '', body = ''] = /^([A-Z]+) \/(\S+) *(?:\(.*\))?\n([\s\S]+)$/.exec(statements) ?? [];
    await this.call(method, path, JSON.parse(body) as Json);
  }

  async put(name: string, rows: readonly Row[]): Promise<void> {
    const lines = rows.flatMap(({ id, text, vector, metadata }) => [
      { index: { _id: id } },
      { body: text, embedding: vector, facts: metadata },
    ]);
    const body = `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`;
    const { errors, items } = await this.call('POST', `${name}/_bulk?refresh=true`, body);
    if (errors) throw new Error(JSON.stringify(items));
  }

  async drop(name: string, keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.call('DELETE', `${name}/_doc/${encodeURIComponent(key)}`);
  }

  async rows(name: string): Promise<Record<string, string>> {
    await this.call('POST', `${name}/_refresh`);
    const { hits } = (await this.call('POST', `${name}/_search`, { size: 5000, _source: ['body'] })) as {
      hits: { hits: { _id: string; _source: { body: string } }[] };
    };
    return Object.fromEntries(hits.hits.map(({ _id, _source }) => [_id, _source.body]));
  }

  target(name: string, details: object = {}, secrets: Record<string, string> = {}): Target<StoreStored> {
    const fields = { vector_field: 'embedding', text_field: 'body', metadata_field: 'facts' };
    return targetOf('OPENSEARCH', { url: this.url, index: name, ...fields, ...EMBEDDING, ...details }, secrets);
  }
}

export const worlds = (): World[] => [new PgWorld(), new SearchWorld('openSearch'), new SearchWorld('elasticsearch')];

/** Starts the server of a world for a suite; in CI it must be there. */
export function startWorld(world: World): void {
  before(async function () {
    this.timeout(600_000);
    const missing = await world.prepare();
    if (missing !== undefined) {
      if (process.env.CI === 'true') throw new Error(`${world.name} cannot be had: ${missing}`);
      this.skip();
    }
    await world.start();
  });
  after(() => world.stop());
}
