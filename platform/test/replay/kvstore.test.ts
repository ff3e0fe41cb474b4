import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { type CallOptions, type Reply, startFixture, type TestPlatform, writeFiles } from '../support/platform.ts';

/** What a real splunkd answered to a call about collections. */
interface Recorded {
  request: string;
  /** Several where sources disagree. */
  status?: number | number[];
  body?: unknown;
  text?: string;
  reason?: string;
}

const { answers, limits, entries } = JSON.parse(readFileSync(new URL('kvstore.json', import.meta.url), 'utf8')) as {
  answers: Recorded[];
  limits: Record<string, string>;
  entries: Record<
    'kv_config' | 'kvstore_status',
    { content: object; links: string[]; acl?: string[]; top_links: object }
  >;
};

const ROOT = '/servicesNS/nobody/fixture/storage/collections';
const DATA = `${ROOT}/data/things`;
const FAULTS = '/services/embedded/faults';
const json = (value: unknown): CallOptions => ({
  body: JSON.stringify(value),
  headers: { 'Content-Type': 'application/json' },
});
const query = (value: unknown) => `?query=${encodeURIComponent(JSON.stringify(value))}`;
const FIND = [{ query: { name: 'a' }, limit: 1, skip: 0, fields: ['name'], sort: [{ name: 1 }] }];
const KEYS = Array.from({ length: 500 }, (_, index) => ({ _key: index.toString().padStart(24, '0') }));

/** The call of each record, by the words that it begins with, after documents `a` and `b` were made. */
const CALLS: readonly [begins: string, method: string, path: string, options?: CallOptions, fault?: string][] = [
  ['POST data/<c> {"name":"a","n":1}', 'POST', DATA, json({ name: 'a', n: 1 })],
  ['GET data/<c>/<key>', 'GET', `${DATA}/a`],
  ['GET data/<c>/<unknown key>', 'GET', `${DATA}/nosuch`],
  ['POST batch_find [{"query":{"name":"a"}', 'POST', `${DATA}/batch_find`, json(FIND)],
  ['POST data/<c>/<unknown key>', 'POST', `${DATA}/nosuch`, json({ n: 1 })],
  ['POST data/<c> with an existing _key', 'POST', DATA, json({ _key: 'a' })],
  ['DELETE data/<c>?query={"$or":[{"_key":..} x 500]}', 'DELETE', DATA + query({ $or: KEYS })],
  ['POST data/<c>/batch_save with 1001', 'POST', `${DATA}/batch_save`, json(new Array(1001).fill({}))],
  ['any, KV store still starting', 'GET', `${DATA}?output_mode=json`, {}, 'starting'],
  ['any, [kvstore] disabled = true', 'GET', `${DATA}?output_mode=json`, {}, 'disabled'],
];

/** Names and JSON types of a value; the recorded one has the types as texts, or the very text in quotes. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  if (value === null) return 'null';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  if (typeof value !== 'object') return typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shapeOf(member)]));
}

/** The actual shape with texts where the recorded one has them. */
function actualOf(shape: unknown, actual: unknown): unknown {
  if (typeof shape === 'string' && shape.startsWith('"')) return JSON.stringify(actual);
  if (typeof shape === 'string' && shape === 'number' && typeof actual === 'number') return 'number';
  if (typeof actual !== 'object' || actual === null || Array.isArray(actual)) return shapeOf(actual);
  const members = Object(shape) as Record<string, unknown>;
  return Object.fromEntries(Object.entries(actual).map(([name, member]) => [name, actualOf(members[name], member)]));
}

describe('embedded KV store: recorded answers of splunkd', () => {
  let platform: TestPlatform;
  let stop: () => Promise<void>;
  before(async () => {
    ({ platform, stop } = await startFixture());
    writeFiles(`${platform.home}/etc/apps/fixture`, { 'default/collections.conf': '[things]\n' });
    for (const document of [{ _key: 'a', name: 'a', n: 1 }, { _key: 'b' }])
      expect((await platform.call('POST', DATA, json(document))).status).to.equal(201);
  });
  after(() => stop());
  afterEach(() => platform.call('POST', FAULTS, { form: { kvstore: 'ok' } }));

  const textOf = ({ json }: Reply): unknown => json?.messages?.[0]?.text;
  const entry = async (path: string) => {
    const { json } = await platform.call('GET', `${path}?output_mode=json&count=1`);
    return { feed: json, entry: json.entry[0] };
  };

  for (const [begins, method, path, options, fault] of CALLS) {
    it(begins, async () => {
      const recorded = answers.find(({ request }) => request.startsWith(begins));
      if (!recorded) throw new Error('no such record');
      if (fault !== undefined) await platform.call('POST', FAULTS, { form: { kvstore: fault } });
      const url = path.includes('?') ? path : `${path}?output_mode=json`;
      const reply = await platform.call(method, url, options);
      if (recorded.status !== undefined) expect([recorded.status].flat()).to.include(reply.status);
      if (recorded.body !== undefined) expect(shapeOf(reply.json)).to.deep.equal(shapeOf(recorded.body));
      // A client library puts the reason phrase in front of the message.
      const text = recorded.text?.replace('Service Unavailable -- ', '') ?? recorded.reason;
      if (text !== undefined) expect(textOf(reply)).to.equal(text);
    });
  }

  it('keeps the order of members of a document', async () => {
    const { body } = answers.find(({ request }) => request === 'GET data/<c>/<key>') ?? {};
    expect(Object.keys((await platform.call('GET', `${DATA}/a`)).json)).to.deep.equal(Object.keys(Object(body)));
  });

  it('shows only statuses that are documented', async () => {
    const documented = answers.find(({ request }) => request === 'GET /services/kvstore/status') as unknown as {
      statuses: string[];
    };
    for (const kvstore of ['ok', 'down', 'starting', 'disabled', 'read_only']) {
      await platform.call('POST', FAULTS, { form: { kvstore } });
      const shown = await entry('/services/kvstore/status');
      expect(documented.statuses, kvstore).to.include(shown.entry.content.current.status);
    }
  });

  it('shows the settings of a collection and the status of the store', async () => {
    const cases = [
      [`${ROOT}/config`, entries.kv_config],
      ['/services/kvstore/status', entries.kvstore_status],
    ] as const;
    for (const [path, recorded] of cases) {
      const shown = await entry(path);
      const { content, links, acl } = shown.entry;
      expect(actualOf(recorded.content, content), path).to.deep.equal(recorded.content);
      expect(Object.keys(links), path).to.have.members(recorded.links);
      if (recorded.acl) expect(Object.keys(acl), path).to.have.members(recorded.acl);
      expect(Object.keys(shown.feed.links), path).to.have.members(Object.keys(recorded.top_links));
    }
  });

  it('has the limits of limits.conf', async () => {
    const batch = (name: string, size: number) =>
      platform.call('POST', `${DATA}/${name}`, json(new Array(size).fill({})));
    for (const [name, limit] of [
      ['batch_save', limits.max_documents_per_batch_save],
      ['batch_find', limits.max_queries_per_batch],
    ] as const) {
      expect((await batch(name, Number(limit))).status, name).to.equal(200);
      expect((await batch(name, Number(limit) + 1)).status, name).to.equal(400);
    }
    const megabytes = Number(limits.max_size_per_batch_save_mb);
    const huge = await platform.call('POST', `${DATA}/batch_save`, {
      body: Buffer.alloc(megabytes * 1024 * 1024 + 1, 0x20),
    });
    expect(huge.status).to.equal(400);
  });
});
