import { expect } from 'chai';
import { MemoryApp } from '../../support/memory/app.ts';
import { type FaultMode, FaultPlan } from '../../support/memory/faults.ts';

const PATH = '/mcp_connection';
const MINUTE = 60_000;
const NAMES = ['one', 'two'];
const CANARY = 'canary-4711';

type Stored = { acceptance?: string; accepted_tools?: { name: string; batch: string }[] };

function setTools(app: MemoryApp, text: string): void {
  app.peers.tools = NAMES.map((name) => ({ name, description: `${text} ${CANARY}` }));
}

/** A connection whose server has changed its tools. @param isListed after they were listed once */
async function prepared(isListed: boolean): Promise<MemoryApp> {
  const app = new MemoryApp();
  const details = { url: 'https://mcp.example/mcp', token: CANARY };
  await app.call('editor', 'POST', PATH, { name: 'alpha', type: 'PLATFORM', details });
  if (isListed) await app.call('editor', 'POST', `${PATH}/tools`, { name: 'alpha' });
  setTools(app, 'new');
  return app;
}

const send = (app: MemoryApp, path: string, faults?: FaultPlan) =>
  app.request(
    { method: 'POST', path: `/ml${PATH}/${path}`, body: Buffer.from('{"name":"alpha"}'), sessionToken: 'editor' },
    faults,
  );

/** The descriptions of the accepted tools; each has to be there. */
function accepted(app: MemoryApp): unknown[] {
  const [record = {}] = app.site.records.all('ml_mcp_connections') as Stored[];
  return (record.accepted_tools ?? []).map(({ name, batch }) => {
    const found = app.site.records.all('ml_mcp_accepted').find(({ _key }) => _key === batch);
    const pairs = new Map<string, { description: string }>(JSON.parse(String(found?.definitions ?? '[]')));
    return pairs.get(name)?.description.split(' ')[0] ?? `no definition of ${name}`;
  });
}

async function check(path: string, isListed: boolean, at: number, mode: FaultMode): Promise<number> {
  const app = await prepared(isListed);
  const before = accepted(app);
  const faults = new FaultPlan(at, mode);
  const reply = await send(app, path, faults);
  const where = `${path}: ${mode} at call ${at} (${faults.trace.slice(0, at).join(', ')})`;
  expect(reply.status, where).to.be.oneOf([200, 500, 503]);
  const states = path === 'tools' && isListed ? [before] : [before, ['new', 'new']];
  expect(states, where).to.deep.include(accepted(app));

  // Another process goes on after every lease has expired.
  app.site.clock.advance(2 * MINUTE);
  expect((await send(app, 'accept_tools')).status, where).to.equal(200);
  expect(accepted(app), where).to.deep.equal(['new', 'new']);
  app.site.clock.advance(2 * MINUTE);
  expect((await send(app, 'accept_tools')).status, where).to.equal(200);
  expect(app.site.records.all('ml_mcp_accepted'), `${where}: left over`).to.have.length(1);
  expect(app.site.records.all('ml_leases'), where).to.deep.equal([]);
  expect(app.site.records.all('ml_journal'), where).to.deep.equal([]);
  expect(app.leaks(CANARY), where).to.deep.equal([]);
  return faults.calls;
}

describe('acceptance of tools when a call to the stores fails', () => {
  const cases: [what: string, path: string, isListed: boolean][] = [
    ['a first listing', 'tools', false],
    ['an acceptance', 'accept_tools', true],
    ['an acceptance before any listing', 'accept_tools', false],
  ];
  for (const [what, path, isListed] of cases)
    for (const mode of ['crash', 'refused', 'lost'] as const) {
      it(`${what} is whole or not at all after ${mode} at each call`, async () => {
        let points = 0;
        while ((await check(path, isListed, points + 1, mode)) > points) {
          points += 1;
          expect(points).to.be.lessThan(200);
        }
        expect(points).to.be.at.least(8);
      });
    }
});
