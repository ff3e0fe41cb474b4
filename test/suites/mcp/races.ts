import { expect } from 'chai';
import type { Answer } from '../../support/worlds/world.ts';
import { type McpCalls, URL } from './calls.ts';

const MANY = 20;

export function racesTopic(mcp: McpCalls): void {
  const { world, post, put, get, remove, config, made } = mcp;
  const atOnce = (call: (index: number) => Promise<Answer>) =>
    Promise.all(Array.from({ length: MANY }, (_, n) => call(n)));
  const codes = (replies: Answer[]) => replies.map(({ json }) => json.error_code ?? 'ok').sort();

  it('one of 20 creates wins; one secret is left', async () => {
    const before = await world.secretRefs();
    const details = (index: number) => ({ url: URL, token: `racer-${index}` });
    const replies = await atOnce((index) =>
      post({ name: index % 2 ? 'Race' : 'race', type: 'PLATFORM', details: details(index) }),
    );
    expect(codes(replies)).to.deep.equal([...Array(MANY - 1).fill('duplicate_name'), 'ok']);
    expect(await world.secretRefs()).to.have.length(before.length + 1);
    expect((await config('race')).version).to.equal(1);
  });

  it('one of 20 updates of a version wins', async () => {
    const { name } = await made();
    const replies = await atOnce((index) => put({ name, description: `w${index}`, version: 1 }));
    expect(codes(replies)).to.deep.equal(['ok', ...Array(MANY - 1).fill('version_conflict')]);
    expect((await config(name)).version).to.equal(2);
  });

  it('20 updates without a version run one after the other', async () => {
    const { name } = await made();
    const before = await world.secretRefs();
    const replies = await atOnce((n) => put({ name, details: { token: `t${n}` }, description: `d${n}` }));
    expect(replies.map(({ status }) => status)).to.deep.equal(Array(MANY).fill(200));
    const versions = replies.map(({ json }) => json.config.version).sort((a, b) => a - b);
    expect(versions).to.deep.equal(Array.from({ length: MANY }, (_, index) => index + 2));
    const last = replies.find(({ json }) => json.config.version === MANY + 1);
    expect(await config(name)).to.deep.equal(last?.json.config);
    expect(await world.secretRefs()).to.have.length(before.length);
    expect(await world.records('ml_leases')).to.deep.equal([]);
    expect(await world.records('ml_journal')).to.deep.equal([]);
  });

  it('nothing is left over when creates, updates and deletes meet', async () => {
    const before = await world.secretRefs();
    const statuses: number[] = [];
    await Promise.all(
      Array.from({ length: 8 }, async (_, index) => {
        for (let round = 0; round < 4; round += 1) {
          const token = `m${index}.${round}`;
          const created = await post({ name: 'melee', type: 'PLATFORM', details: { url: URL, token } });
          const updated = await put({ name: 'melee', details: { token: `${token}u` } });
          const removed = await remove('melee');
          statuses.push(created.status, updated.status, removed.status);
        }
      }),
    );
    expect([...new Set(statuses)].sort()).to.deep.equal([200, 404, 409]);
    await remove('melee');
    expect((await get('melee')).status).to.equal(404);
    expect(await world.secretRefs()).to.deep.equal(before);
    expect(await world.records('ml_journal')).to.deep.equal([]);
  });
}
