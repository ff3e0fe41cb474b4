import { expect } from 'chai';
import { connection, documentOf } from '../../suites/configuration/kit.ts';
import { type Json, resultOf } from '../../suites/configuration/site.ts';
import { type Reply, startPlatform, type TestPlatform } from '../../support/e2e/platform.ts';
import { patience, until } from '../../support/time.ts';

const COLLECTION = 'ml_mcp_connections';
const tokenOf = (name: string) => `canary-7c41d0-${name}`;

/** Connections with a secret each, as a document and what is sent beside it. */
function many(count: number): Json & { names: string[] } {
  const names = Array.from({ length: count }, (_, n) => `c${String(n).padStart(4, '0')}`);
  const secrets = Object.fromEntries(
    names.map((name) => [`mcp-connections/${name}`, { 'details.token': tokenOf(name) }]),
  );
  return {
    names,
    document: documentOf(...names.map((name) => connection(name, {}, { secrets: ['details.token'] }))),
    secrets,
  };
}

describe('an interrupted import', function () {
  this.timeout(patience(240_000));
  let platform: TestPlatform;
  before(async () => {
    platform = await startPlatform({ movableClock: true });
  });
  beforeEach(async () => {
    await platform.faults({ kvstore: 'ok' });
    await platform.removeDocuments(COLLECTION);
  });
  after(() => platform.dispose());

  const apply = ({ document, secrets }: Json) =>
    platform.ml('admin', 'POST', '/import', { document, secrets, mode: 'apply' } as Json);
  const count = async () => (await platform.documents(COLLECTION)).length;

  /** The same call until nothing is left, as `mlx apply` makes it; at most so many times. */
  async function finished(body: Json, most: number): Promise<Reply> {
    for (let calls = 1; ; calls++) {
      const reply = await apply(body);
      expect(reply.status, reply.text.slice(0, 500)).to.equal(200);
      const { done, failed, not_reached } = reply.json.summary;
      if (done + failed + not_reached === 0) return reply;
      expect(calls, reply.json.message).to.be.below(most);
    }
  }

  /** Every record is there once, with its own secret. */
  async function expectWhole(names: readonly string[]): Promise<void> {
    const records = await platform.documents(COLLECTION);
    expect(records.map(({ name }) => name).sort()).to.deep.equal(names);
    for (const { name, secret_ref, version } of records.slice(0, 30)) {
      expect(await platform.secret(String(secret_ref))).to.deep.equal({ 'details/token': tokenOf(String(name)) });
      expect(version).to.equal(1);
    }
  }

  it('kill -9 of the drivers in the middle: repeating the call completes it', async () => {
    const body = many(60);
    await platform.faults({ kvstore: 'slow:10' });
    const interrupted = apply(body);
    await until(count, (records) => records >= 10, 60_000);
    for (const pid of platform.drivers()) process.kill(pid, 'SIGKILL');
    expect((await interrupted).status).to.equal(500);
    await platform.faults({ kvstore: 'ok' });
    const before = await count();
    expect(before).to.be.within(10, 59);
    const next = await apply(body);
    expect(next.json.summary.unchanged).to.be.at.least(before - 1);
    expect((await finished(body, 5)).json.summary).to.include({ unchanged: 60 });
    await expectWhole(body.names);
  });

  it('on timeout it lists the remaining records, and the next call continues', async () => {
    const body = many(60);
    await platform.faults({ kvstore: 'slow:10' });
    const late = apply(body);
    await until(count, (records) => records >= 10, 60_000);
    platform.advance(25_000);
    const { json } = await late;
    await platform.faults({ kvstore: 'ok' });
    expect(json.summary.not_reached, json.message).to.be.within(1, 50);
    expect(json.summary.done).to.be.at.least(9);
    expect(resultOf({ json } as Reply, 'mcp-connections/c0059')).to.include({
      action: 'create',
      outcome: 'not_reached',
    });
    expect((await finished(body, 5)).json.summary).to.include({ unchanged: 60 });
    await expectWhole(body.names);
  });

  it('1,000 records', async () => {
    const body = many(1000);
    const plan = await platform.ml('admin', 'POST', '/import', {
      document: body.document,
      secrets: body.secrets,
    } as Json);
    expect(plan.json.summary).to.include({ create: 1000 });
    expect((await finished(body, 20)).json.summary).to.include({ unchanged: 1000 });
    await expectWhole(body.names);
    const { json } = await platform.ml('admin', 'GET', '/export');
    expect(json.document.records).to.have.length(1000);
    expect(platform.filesWith([tokenOf('c0007')])).to.deep.equal([]);
  });
});
