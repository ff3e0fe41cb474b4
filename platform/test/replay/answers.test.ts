import { expect } from 'chai';
import type { CallOptions } from '../support/platform.ts';
import { type SearchFixture, startSearching } from '../support/searchCommand.ts';
import { differences, type Recorded, recordedFacts } from './recorded.ts';

const { answers } = recordedFacts<{ answers: Recorded[] }>('answers.json');

const DATA = '/servicesNS/nobody/searching/storage/collections/data/things';
const JOBS = '/services/search/jobs';
const APP_JOBS = '/servicesNS/admin/searching/search/jobs';
const FAILING = '| fake do=error';
const SIMPLE = '/services/receivers/simple?output_mode=json';
const JSON_MODE = { output_mode: 'json' };
type Call = [method: string, path: string, options?: CallOptions];
const json = (value: unknown): CallOptions => ({
  body: JSON.stringify(value),
  headers: { 'Content-Type': 'application/json' },
});

/** The calls of each record, by the words that it begins with; `<sid>` is a finished job. */
const CALLS: readonly [begins: string, calls: readonly Call[]][] = [
  ['GET /services/server/info, no credentials', [['GET', '/services/server/info', { as: null }]]],
  [
    'the same with an unknown session key',
    [['GET', '/services/server/info', { as: null, headers: { Authorization: 'Splunk unknown' } }]],
  ],
  [
    'POST /services/auth/login, wrong password',
    [['POST', '/services/auth/login', { as: null, form: { ...JSON_MODE, username: 'admin', password: 'wrong' } }]],
  ],
  [
    'POST /services/auth/login, no password',
    [['POST', '/services/auth/login', { as: null, form: { ...JSON_MODE, username: 'admin' } }]],
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
  [
    `POST ${JOBS} exec_mode=oneshot, the search fails`,
    [['POST', APP_JOBS, { form: { search: FAILING, exec_mode: 'oneshot', output_mode: 'json' } }]],
  ],
  [
    'GET results or events of a job that failed',
    [
      ['GET', `${JOBS}/<failed>/results`],
      ['GET', `${JOBS}/<failed>/events`],
    ],
  ],
  ['GET results of a job not ready', [['GET', `${JOBS}/<running>/results`]]],
  [`GET ${JOBS}/export`, [['GET', `${JOBS}/export`]]],
  ['GET storage/collections/config below', [['GET', '/services/storage/collections/config?output_mode=json']]],
  ['GET storage/collections/data/<unknown>', [['GET', '/servicesNS/nobody/searching/storage/collections/data/nosuch']]],
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
    [['POST', `${SIMPLE}&index=main&sourcetype=p`, { body: '0123456789' }]],
  ],
  ['the same without index', [['POST', SIMPLE, { body: '0123456789' }]]],
  ['the same with an index that does not exist', [['POST', `${SIMPLE}&index=nosuch`, { body: '0' }]]],
  ['the same with an empty body', [['POST', `${SIMPLE}&index=main`]]],
  [
    'any management answer',
    [
      ['GET', '/services/server/info'],
      ['GET', '/services/nosuch'],
      ['POST', SIMPLE, { body: '0' }],
      ['GET', DATA],
    ],
  ],
];

/** A record about jobs that `describe` shows by itself. */
const LINK = 'any answer below /services/search/jobs/<sid>';

describe('embedded platform: recorded answers of splunkd 10.4.2', () => {
  let fixture: SearchFixture;
  const sids: Record<string, string> = {};
  const call: SearchFixture['platform']['call'] = (method, path, options) =>
    fixture.platform.call(
      method,
      path.replace(/<(\w+)>/, (_, name) => sids[name] ?? ''),
      options,
    );
  before(async () => {
    fixture = await startSearching();
    const made = await call('POST', '/servicesNS/nobody/searching/storage/collections/config', {
      form: { name: 'things' },
    });
    expect(made.status).to.equal(201);
    for (const document of [
      { _key: 'a', v: 1 },
      { _key: 'b', v: 2 },
    ])
      await call('POST', DATA, json(document));
    for (const [name, search, exec_mode] of [
      ['sid', '| makeresults', 'blocking'],
      ['failed', FAILING, 'blocking'],
      ['running', '| fake "do=for ever"', 'normal'],
    ] as const) {
      const job = await call('POST', APP_JOBS, { form: { search, exec_mode, output_mode: 'json' } });
      sids[name] = job.json.sid;
    }
  });
  after(() => fixture.stop());

  for (const [begins, calls] of CALLS) {
    const recorded = answers.find(({ request }) => request.startsWith(begins));
    it(begins, async () => {
      if (!recorded) throw new Error('no such record');
      for (const [method, path, options] of calls) {
        const isBare = path.includes('output_mode') || recorded.content_type !== undefined;
        const url = isBare || options?.form ? path : `${path}${path.includes('?') ? '&' : '?'}output_mode=json`;
        const reply = await call(method, url, options);
        expect(differences(recorded, reply), `${method} ${path}`).to.deep.equal([]);
      }
    });
  }

  it(LINK, async () => {
    for (const [method, path, status, link] of [
      ['GET', '<sid>', 200, '<sid>'],
      ['GET', '<sid>/results', 200, '../<sid>'],
      ['GET', '<running>/results', 204, '../<running>'],
      ['DELETE', '<sid>/results', 405, '../<sid>'],
      ['PATCH', '<sid>', 405, '<sid>'],
      ['GET', 'nosuch/control', 404, '../nosuch'],
      ['POST', '<sid>/control', 400, '../<sid>'],
      ['GET', 'export', 405, undefined],
    ] as const) {
      const reply = await call(method, `${JOBS}/${path}`);
      const target = link?.replace(/<(\w+)>/, (_, name) => sids[name] ?? '');
      const expected = target === undefined ? undefined : `<${target}>; rel=info`;
      expect([reply.status, reply.headers.link], `${method} ${path}`).to.deep.equal([status, expected]);
    }
    expect((await call('GET', `/services/search/v2/jobs/<sid>`)).headers.link).to.equal(`<${sids.sid}>; rel=info`);
    expect((await call('GET', JOBS)).headers).not.to.have.property('link');
  });

  it('are all replayed', () => {
    const begins = [...CALLS.map(([words]) => words), LINK];
    const others = answers.filter(({ request }) => !begins.some((words) => request.startsWith(words)));
    expect(others.map(({ request }) => request)).to.deep.equal([]);
    expect(answers).to.have.length(35);
  });
});
