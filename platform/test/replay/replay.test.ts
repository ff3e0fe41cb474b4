import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { type CallOptions, type Reply, startFixture, type TestPlatform } from '../support/platform.ts';

/** What a real splunkd answered to a call. */
interface Recorded {
  request: string;
  status?: number;
  headers?: Record<string, string>;
  content_type?: string;
  body?: unknown;
  text?: string;
  /** Members of the body, or headers, that are not there. */
  absent?: string[];
}

const { answers } = JSON.parse(readFileSync(new URL('answers.json', import.meta.url), 'utf8')) as {
  answers: Recorded[];
};

const DATA = '/servicesNS/nobody/fixture/storage/collections/data/things';
const JOBS = '/services/search/jobs';
type Call = [method: string, path: string, options?: CallOptions];
const json = (value: unknown): CallOptions => ({
  body: JSON.stringify(value),
  headers: { 'Content-Type': 'application/json' },
});

/** The calls of each record, by the words that it begins with; `<sid>` is a finished job, `<failed>` a failed one. */
const CALLS: readonly [begins: string, calls: readonly Call[]][] = [
  ['GET /services/server/info, no credentials', [['GET', '/services/server/info', { as: null }]]],
  [
    'the same with an unknown session key',
    [['GET', '/services/server/info', { as: null, headers: { Authorization: 'Splunk unknown' } }]],
  ],
  [
    'POST /services/auth/login, wrong password',
    [['POST', '/services/auth/login', { as: null, form: { username: 'admin', password: 'wrong' } }]],
  ],
  [
    'POST /services/auth/login, no password',
    [['POST', '/services/auth/login', { as: null, form: { username: 'admin' } }]],
  ],
  ['GET /services/no/such/endpoint', [['GET', '/services/no/such/endpoint']]],
  ['GET /services/apps/local/<unknown>', [['GET', '/services/apps/local/nosuch']]],
  ['POST to a collection without name', [['DELETE', '/services/apps/local']]],
  ['PATCH anywhere', [['PATCH', '/services/server/info']]],
  ['PUT to an EAI collection', [['PUT', '/services/apps/local']]],
  [
    'an argument that a strict',
    [
      ['GET', '/services/apps/local?nosuch=1'],
      ['GET', '/services/server/info?nosuch=1'],
    ],
  ],
  ['GET /services/server/info?output_mode=bogus', [['GET', '/services/server/info?output_mode=bogus']]],
  ['output_mode=csv where', [['GET', '/services/server/info?output_mode=csv']]],
  [`POST ${JOBS} without search`, [['POST', JOBS, { form: { output_mode: 'json' } }]]],
  [`POST ${JOBS}, unknown command`, [['POST', JOBS, { form: { search: '| boguscmd', output_mode: 'json' } }]]],
  [
    `POST ${JOBS} exec_mode=oneshot, nothing found`,
    [['POST', JOBS, { form: { search: '| makeresults count=0', exec_mode: 'oneshot', output_mode: 'json' } }]],
  ],
  [
    `GET or DELETE ${JOBS}/<unknown>`,
    [
      ['GET', `${JOBS}/nosuch?output_mode=json`],
      ['DELETE', `${JOBS}/nosuch/control`],
    ],
  ],
  [`DELETE ${JOBS}/<sid>/results`, [['DELETE', `${JOBS}/<sid>/results`]]],
  [
    'POST control, unknown action',
    [['POST', `${JOBS}/<sid>/control`, { form: { action: 'dance', output_mode: 'json' } }]],
  ],
  [`GET ${JOBS}/export`, [['GET', `${JOBS}/export`]]],
  ['GET storage/collections/config below', [['GET', '/services/storage/collections/config?output_mode=json']]],
  ['GET storage/collections/data/<unknown>', [['GET', '/servicesNS/nobody/fixture/storage/collections/data/nosuch']]],
  ['POST data/<collection>/batch_find ["nope"]', [['POST', `${DATA}/batch_find`, json(['nope'])]]],
  ['POST data/<collection>/batch_find [{"v":2}]', [['POST', `${DATA}/batch_find`, json([{ v: 2 }])]]],
  [
    'POST data/<collection>/batch_find [{"query"',
    [['POST', `${DATA}/batch_find`, json([{ query: { v: 1 } }, { query: { v: 999 } }])]],
  ],
  ['POST data/<collection>/batch_save', [['POST', `${DATA}/batch_save`, json([{ _key: 'a', v: 1 }, { _key: 'b' }])]]],
  ['GET data/<collection>/batch_save', [['GET', `${DATA}/batch_save?output_mode=json`]]],
  [
    'POST /services/receivers/simple?index=main',
    [['POST', '/services/receivers/simple?index=main&sourcetype=p&output_mode=json', { body: '0123456789' }]],
  ],
];

/** JSON types of a value, with the texts of messages. */
function shapeOf(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map((item) => shapeOf(item));
  if (typeof value === 'string' && key === 'text')
    return value.replaceAll(/nosuch|<name>/g, '<name>').replaceAll(/"(?:POST|DELETE)"/g, '"POST"');
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, shapeOf(member, name)]),
  );
}

/** How an answer differs from the recorded one; empty if it does not. */
function differences(recorded: Recorded, reply: Reply): string[] {
  const parsed = reply.json ?? {};
  const isJson = String(reply.headers['content-type']).includes('json');
  return [
    ...(recorded.status !== undefined && recorded.status !== reply.status ? [`status ${reply.status}`] : []),
    ...Object.entries(recorded.headers ?? {}).flatMap(([name, value]) => {
      const sent = reply.headers[name.toLowerCase()];
      return /[<.]{1,3}/.test(value)
        ? sent === undefined
          ? [`no ${name}`]
          : []
        : sent === value
          ? []
          : [`${name}: ${sent}`];
    }),
    ...(recorded.absent ?? []).filter((name) => name in parsed || reply.headers[name.toLowerCase()] !== undefined),
    ...(recorded.body !== undefined &&
    isJson &&
    JSON.stringify(shapeOf(recorded.body)) !== JSON.stringify(shapeOf(parsed))
      ? [JSON.stringify(shapeOf(parsed))]
      : []),
  ];
}

describe('embedded platform: recorded answers of splunkd 10.4.2', () => {
  let platform: TestPlatform;
  let stop: () => Promise<void>;
  let sid: string;
  before(async () => {
    ({ platform, stop } = await startFixture());
    const made = await platform.call('POST', '/servicesNS/nobody/fixture/storage/collections/config', {
      form: { name: 'things' },
    });
    expect(made.status).to.equal(201);
    for (const document of [
      { _key: 'a', v: 1 },
      { _key: 'b', v: 2 },
    ])
      await platform.call('POST', DATA, json(document));
    const job = await platform.call('POST', JOBS, {
      form: { search: '| makeresults', exec_mode: 'blocking', output_mode: 'json' },
    });
    sid = job.json.sid;
  });
  after(() => stop());

  for (const [begins, calls] of CALLS) {
    const recorded = answers.find(({ request }) => request.startsWith(begins));
    it(begins, async () => {
      if (!recorded) throw new Error('no such record');
      for (const [method, path, options] of calls) {
        const isBare = /output_mode|simple/.test(path) || recorded.content_type !== undefined;
        const url = isBare || options?.form ? path : `${path}${path.includes('?') ? '&' : '?'}output_mode=json`;
        const reply = await platform.call(method, url.replace('<sid>', sid), options);
        expect(differences(recorded, reply), `${method} ${path}`).to.deep.equal([]);
      }
    });
  }
});
