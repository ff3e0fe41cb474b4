import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { cloudEnv } from '../../support/e2e/cloud.ts';
import { expectStatus, startPlatform, type TestPlatform } from '../../support/e2e/platform.ts';
import { readBody, sendJson, startHttp } from '../../support/peers/listen.ts';
import { searched } from '../agents/agentSupport.ts';
import { MOUNT } from './gatewayPlatform.ts';

const SECRET = 'canary-secret-of-aws';
const QUERY = 'canary-of-a-query';
const TEXT = 'canary-of-a-passage';
const ROWS = '| makeresults count=3 | streamstats count as n';

describe('retrieval on the platform', function () {
  this.timeout(180_000);
  let platform: TestPlatform;
  let cloud: Awaited<ReturnType<typeof startHttp>>;
  /** Queries that the knowledge base was asked. */
  let asked: string[];
  let answer: (query: string) => unknown;

  const retrieve = (user: string, body: object) => platform.call(user, 'POST', `${MOUNT}/retrieve`, body);
  const search = (text: string) => searched(platform, 'reader', text);
  const passage = (text: string, more: object = {}) => ({
    content: { text, type: 'TEXT' },
    location: { type: 'S3', s3Location: { uri: `s3://docs/${text.length}` } },
    score: 0.5,
    ...more,
  });

  before(async () => {
    cloud = await startHttp(async (request, response) => {
      const { retrievalQuery } = JSON.parse(await readBody(request)) as { retrievalQuery: { text: string } };
      asked.push(retrievalQuery.text);
      const found = answer(retrievalQuery.text);
      if (found === undefined)
        return sendJson(
          response,
          404,
          { message: `none, ${SECRET}` },
          { 'x-amzn-errortype': 'ResourceNotFoundException' },
        );
      sendJson(response, 200, { retrievalResults: found });
    });
    platform = await startPlatform({ env: cloudEnv({ url: cloud.url }) });
    await platform.createUser('owner', ['ml_admin']);
    await platform.createUser('reader', ['ml_user']);
    await platform.createUser('guest', ['user']);
    const saved = await platform.ml('owner', 'POST', '/vector_stores', {
      name: 'Runbooks',
      type: 'CLOUD_KB',
      details: {
        cloud_region: 'eu-central-1',
        kb_id: 'ABCDE12345',
        cloud_access_key_id: 'AKIAEXAMPLE',
        cloud_access_key_token: SECRET,
      },
      acl: { sharing: 'app', perms: { read: ['ml_user'], write: [] } },
    });
    expectStatus(saved, 200, 'store');
  });
  after(async () => {
    await platform?.dispose();
    await cloud.close();
  });
  beforeEach(() => {
    asked = [];
    answer = (query) => [passage(`about ${query}`), passage('more', { metadata: { team: 'dba' } })];
  });

  it('answers with passages, and by its rights', async () => {
    const { status, json, headers, text } = await retrieve('reader', { store: 'runbooks', query: 'disk' });
    expect(status, text).to.equal(200);
    expect(json).to.deep.include({
      status: 'success',
      result: [
        { rank: 1, text: 'about disk', score: 0.5, source: { type: 's3', uri: 's3://docs/10' }, metadata: {} },
        { rank: 2, text: 'more', score: 0.5, source: { type: 's3', uri: 's3://docs/4' }, metadata: { team: 'dba' } },
      ],
    });
    for (const name of ['x-request-id', 'x-ml-upstream-ms', 'x-ml-overhead-ms'])
      expect(headers[name], name).to.be.a('string');
    const denied = await retrieve('guest', { store: 'Runbooks', query: 'disk' });
    expect([denied.status, denied.json.error_code]).to.deep.equal([403, 'missing_capability']);
    expect(asked).to.deep.equal(['disk']);
  });

  it('adds passages to rows, and makes rows of them', async () => {
    const { rows } = await search(
      `${ROWS} | mlretrieve store=Runbooks query="row {n}" count=2 | table n retrieved retrieved.rank retrieved.id retrieved.uri retrieved_error`,
    );
    expect(rows).to.deep.equal(
      ['1', '2', '3'].map((n) => ({
        n,
        retrieved: [`about row ${n}`, 'more'],
        'retrieved.rank': ['1', '2'],
        'retrieved.id': '',
        'retrieved.uri': ['s3://docs/11', 's3://docs/4'],
        retrieved_error: '',
      })),
    );
    const expanded = await search(
      `${ROWS} | mlretrieve store=Runbooks query="row {n}" output=hit expand=true | table n hit hit.rank hit.score`,
    );
    expect(expanded.rows).to.deep.equal(
      ['1', '2', '3'].flatMap((n) => [
        { n, hit: `about row ${n}`, 'hit.rank': '1', 'hit.score': '0.5' },
        { n, hit: 'more', 'hit.rank': '2', 'hit.score': '0.5' },
      ]),
    );
  });

  it('leaves neither query nor passage nor key behind', async () => {
    answer = () => [passage(TEXT)];
    const kept = await retrieve('reader', { store: 'Runbooks', query: QUERY });
    expectStatus(kept, 200, 'retrieve');
    answer = () => undefined;
    const lost = await retrieve('reader', { store: 'Runbooks', query: QUERY });
    expect([lost.status, lost.json.error_code]).to.deep.equal([404, 'kb_not_found']);
    expect(lost.text).not.to.include(SECRET);
    // Uses are written at the latest 2 s after the reply.
    await setTimeout(2500);
    const usage = await platform.ml('reader', 'GET', '/usage?by=operation,model');
    expect(usage.json.result.map(({ operation, model }: Record<string, string>) => [operation, model])).to.deep.equal([
      ['retrieve', 'Runbooks'],
    ]);
    const audit = await platform.ml('owner', 'GET', '/audit?count=0');
    const written = platform.output + platform.log() + audit.text + usage.text;
    for (const canary of [QUERY, TEXT, SECRET]) expect(written).not.to.include(canary);
    expect(platform.filesWith([QUERY, TEXT, SECRET])).to.deep.equal([]);
  });
});
