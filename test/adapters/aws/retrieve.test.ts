import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { expect } from 'chai';
import { awsKnowledgeBases } from '../../../src/adapters/aws/knowledgeBases.ts';
import { isRetryable } from '../../../src/contract/codes/codes.ts';
import { OutboundError } from '../../../src/contract/codes/outbound.ts';
import { startDeadline } from '../../../src/domain/async/deadline.ts';
import type { Passage, PassageQuery } from '../../../src/ports/cloud/passages.ts';
import { rejection } from '../../support/fault.ts';
import { readBody, sendJson, startHttp } from '../../support/peers/listen.ts';

const ID = 'ABCDE12345';
const SECRET = 'canary-secret-key';
const KEYS = { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: SECRET };

describe('passages of Amazon Bedrock', () => {
  let peer: Awaited<ReturnType<typeof startHttp>>;
  let answer: RequestListener;
  let assume: RequestListener;
  let calls: { method: string; path: string; authorization: string; body: unknown }[];
  const gives = (body: unknown, status = 200): RequestListener => {
    return (_, response) => sendJson(response, status, body);
  };
  const refuses = (name: string, status: number, message: string): RequestListener => {
    return (_, response) => sendJson(response, status, { message }, { 'x-amzn-errortype': name });
  };

  before(async () => {
    peer = await startHttp(async (request: IncomingMessage, response: ServerResponse) => {
      const { method = '', url: path = '', headers } = request;
      const body = await readBody(request);
      const isRole = body.startsWith('Action=AssumeRole');
      const sent = isRole ? body : JSON.parse(body || 'null');
      calls.push({ method, path, authorization: headers.authorization ?? '', body: sent });
      if (isRole) return assume(request, response);
      answer(request, response);
    });
  });
  after(() => peer.close());
  beforeEach(() => {
    calls = [];
  });

  async function retrieve(query: Partial<PassageQuery> = {}, ms = 10_000): Promise<Passage[] | undefined> {
    using deadline = startDeadline(ms);
    const options = { conf: { endpoint_url: peer.url }, env: {}, policy: { allowPrivate: true } };
    const access = { region: 'eu-central-1', keys: KEYS, attempts: 1 };
    const visit = await awsKnowledgeBases(options).visit(access, deadline);
    try {
      return await visit.retrieve(ID, { text: 'disk full', count: 5, ...query });
    } finally {
      visit.close();
    }
  }
  const failure = (ms?: number) => rejection(retrieve({}, ms), OutboundError);
  const found = async (...retrievalResults: unknown[]) => {
    answer = gives({ retrievalResults });
    return retrieve();
  };

  it('sends the query in the form of the service, signed', async () => {
    const filter = { orAll: [{ equals: { key: 'team', value: 'dba' } }, { in: { key: 'year', value: [2025, true] } }] };
    answer = gives({ retrievalResults: [] });
    expect(await retrieve({ count: 7, searchType: 'hybrid', filter })).to.deep.equal([]);
    await retrieve({ searchType: 'semantic' });
    await retrieve();
    expect(calls.map(({ body }) => (body as { retrievalConfiguration: object }).retrievalConfiguration)).to.deep.equal([
      { vectorSearchConfiguration: { numberOfResults: 7, overrideSearchType: 'HYBRID', filter } },
      { vectorSearchConfiguration: { numberOfResults: 5, overrideSearchType: 'SEMANTIC' } },
      { vectorSearchConfiguration: { numberOfResults: 5 } },
    ]);
    expect(calls[0]).to.deep.include({ method: 'POST', path: `/knowledgebases/${ID}/retrieve` });
    expect(calls[0]?.body).to.deep.include({ retrievalQuery: { text: 'disk full' } });
    expect(calls[0]?.authorization).to.match(/Credential=AKIAEXAMPLE\/\d{8}\/eu-central-1\/bedrock\/aws4_request/);
  });

  it('reads each kind of place, text and row', async () => {
    const passages = await found(
      { content: { text: 'a', type: 'TEXT' }, location: { type: 'S3', s3Location: { uri: 's3://b/k' } }, score: 0.75 },
      { content: { text: 'b' }, location: { type: 'WEB', webLocation: { url: 'https://x.example' } } },
      {
        content: { text: 'c' },
        location: { type: 'CUSTOM', customDocumentLocation: { id: 'd-1' } },
        documentId: 'd-1',
      },
      { content: { text: 'd' }, location: { type: 'KENDRA', kendraDocumentLocation: { uri: 'k:1' } } },
      {
        content: { type: 'ROW', row: [{ columnName: 'n', columnValue: '1' }, { columnName: 'm' }] },
        location: { type: 'SQL', sqlLocation: { query: 'SELECT 1' } },
        metadata: { team: 'dba', tags: ['x', 'y'], year: 2026 },
      },
      { content: { type: 'IMAGE', byteContent: 'data:image/png;base64,AA==' } },
    );
    expect(passages).to.deep.equal([
      { text: 'a', score: 0.75, source: { type: 's3', uri: 's3://b/k' }, metadata: {} },
      { text: 'b', source: { type: 'web', uri: 'https://x.example' }, metadata: {} },
      { id: 'd-1', text: 'c', source: { type: 'custom', uri: 'd-1' }, metadata: {} },
      { text: 'd', source: { type: 'kendra', uri: 'k:1' }, metadata: {} },
      {
        text: 'n: 1\nm: ',
        source: { type: 'sql', uri: 'SELECT 1' },
        metadata: { team: 'dba', tags: ['x', 'y'], year: 2026 },
      },
      { text: '', source: {}, metadata: {} },
    ]);
  });

  it('reads the text beside a sound or a film', async () => {
    const passages = await found(
      { content: { type: 'AUDIO', audio: { s3Uri: 's3://b/a.mp3', transcription: 'hello' } } },
      { content: { type: 'VIDEO', video: { s3Uri: 's3://b/v.mp4', summary: 'A cat' } } },
      { content: { type: 'AUDIO', text: ' ', audio: { transcription: 'hello' } } },
      { content: { type: 'VIDEO', text: '', video: { summary: 'A dog' }, audio: { transcription: 'wuff' } } },
      { content: { type: 'AUDIO', text: 'given', audio: { transcription: 'other' } } },
      { content: { type: 'AUDIO', audio: { s3Uri: 's3://b/a.mp3' } } },
      { content: { type: 'VIDEO', video: { summary: 5 } } },
    );
    expect(passages?.map(({ text }) => text)).to.deep.equal([
      'hello',
      'A cat',
      'hello',
      'wuff\nA dog',
      'given',
      '',
      '',
    ]);
  });

  it('leaves out what has a wrong type', async () => {
    const bare = { text: '', source: {}, metadata: {} };
    for (const result of [
      {},
      { content: 'text', location: 'S3', score: 'high', metadata: [1], documentId: 5 },
      { content: { text: 7 }, location: { type: 7, s3Location: 'x' }, score: null, metadata: 'x' },
      { content: { row: 'x' }, location: { s3Location: { uri: {} } } },
      { content: { row: [null, 'x'] }, location: null },
    ]) {
      expect(await found(result), JSON.stringify(result)).to.deep.equal([bare]);
    }
  });

  it('leaves out what is no passage, and keeps the others', async () => {
    const passages = await found(null, { content: { text: 'kept' }, score: null }, 'x');
    expect(passages?.map(({ text }) => text)).to.deep.equal(['kept']);
  });

  it('fails with upstream_error where the answer holds no passages', async () => {
    for (const body of [
      {},
      [],
      'x',
      { retrievalResults: 'x' },
      { retrievalResults: [null, 'x'] },
      { retrievalResults: {} },
    ]) {
      answer = gives(body);
      const { code, message } = await failure();
      expect(code, `${JSON.stringify(body)} ${message}`).to.equal('upstream_error');
    }
  });

  it('knows a base that is not there, and names what AWS refuses', async () => {
    answer = refuses('ResourceNotFoundException', 404, 'Knowledge Base does not exist');
    expect(await retrieve()).to.equal(undefined);
    for (const [name, status, code] of [
      ['ValidationException', 400, 'bad_request'],
      ['AccessDeniedException', 403, 'permission_denied'],
      ['ThrottlingException', 429, 'rate_limited'],
      ['ServiceQuotaExceededException', 402, 'quota_exceeded'],
      ['DependencyFailedException', 424, 'upstream_error'],
      ['InternalServerException', 500, 'upstream_error'],
    ] as const) {
      calls.length = 0;
      answer = refuses(name, status, `no, ${SECRET}`);
      const error = await failure();
      expect([error.code, error.httpStatus, calls.length], error.message).to.deep.equal([code, status, 1]);
      expect(error.message).not.to.include(SECRET);
    }
  });

  it('says that a base whose database is resuming may be asked again', async () => {
    const words =
      'The vector database encountered an error while processing the request: The Aurora DB instance db-1 is resuming after being auto-paused. Please wait a few seconds and try again.';
    answer = refuses('ValidationException', 400, words);
    const { code, httpStatus } = await failure();
    expect([code, httpStatus, isRetryable(code, {})]).to.deep.equal(['upstream_error', 400, true]);
    answer = refuses('ValidationException', 400, 'The resumed base is not one');
    expect((await failure()).code).to.equal('bad_request');
  });

  it('survives a server that hangs, redirects, sends too much or something else', async () => {
    answer = () => {};
    expect((await failure(300)).code).to.equal('timeout');
    answer = (_, response) => response.writeHead(307, { location: 'http://example.com/x' }).end();
    expect((await failure()).code).to.equal('upstream_error');
    answer = gives({ retrievalResults: [{ content: { text: 'x'.repeat(9 * 1024 * 1024) } }] });
    expect((await failure()).code).to.equal('upstream_error');
    answer = (_, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"retrievalResults":');
    expect((await failure()).code).to.equal('upstream_error');
    answer = (request) => request.socket.destroy();
    expect((await failure()).code).to.equal('connection_reset');
    expect(calls).to.have.length(5);
  });

  describe('with a role', () => {
    const ASSUMED = { AccessKeyId: 'ASIAASSUMED', SecretAccessKey: 'canary-of-the-role', SessionToken: 'a-token' };
    const roles = () => calls.filter(({ body }) => typeof body === 'string').length;
    const options = () => ({ conf: { endpoint_url: peer.url }, env: {}, policy: { allowPrivate: true } });
    const access = () => ({
      region: 'eu-central-1',
      keys: KEYS,
      attempts: 1,
      roleArn: 'arn:aws:iam::123456789012:role/r',
    });
    async function visited(to: ReturnType<typeof access>, ms = 10_000): Promise<Passage[] | undefined> {
      using deadline = startDeadline(ms);
      const visit = await awsKnowledgeBases(options()).visit(to, deadline);
      try {
        return await visit.retrieve(ID, { text: 'disk full', count: 5 });
      } finally {
        visit.close();
      }
    }

    beforeEach(() => {
      answer = gives({ retrievalResults: [] });
      assume = (_, response) => {
        const tags = Object.entries({ ...ASSUMED, Expiration: '2099-01-01T00:00:00Z' });
        const xml = tags.map(([name, value]) => `<${name}>${value}</${name}>`).join('');
        const body = `<AssumeRoleResponse><AssumeRoleResult><Credentials>${xml}</Credentials></AssumeRoleResult></AssumeRoleResponse>`;
        response.writeHead(200, { 'content-type': 'text/xml' }).end(body);
      };
    });

    it('assumes it once for all calls with one access, and anew for another', async () => {
      const shared = access();
      await Promise.all([visited(shared), visited(shared), visited(shared)]);
      await visited(shared);
      expect([roles(), calls.length]).to.deep.equal([1, 5]);
      expect(calls.filter(({ authorization }) => authorization.includes('ASIAASSUMED'))).to.have.length(4);
      await visited(access());
      expect(roles()).to.equal(2);
    });

    it('hides its secrets in the messages of each call', async () => {
      const shared = access();
      await visited(shared);
      answer = refuses('ValidationException', 400, `no, ${ASSUMED.SecretAccessKey}`);
      const { message } = await rejection(visited(shared), OutboundError);
      expect(message).to.include('no, ').and.not.include(ASSUMED.SecretAccessKey);
    });

    it('tries again after a failure, and waits no longer than a call of its own may take', async () => {
      const shared = access();
      const good = assume;
      assume = (_, response) => response.writeHead(503).end();
      await rejection(visited(shared), OutboundError);
      assume = () => {};
      const slow = visited(shared, 5000).catch((error: unknown) => error);
      const { code } = await rejection(visited(shared, 200), OutboundError);
      expect(code).to.equal('timeout');
      assume = good;
      expect(await visited(shared)).to.deep.equal([]);
      expect(await slow).to.have.property('code', 'timeout');
    });
  });
});
