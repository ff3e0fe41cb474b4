import { expect } from 'chai';
import { followAgent, followContainer, followLog, MlExtensionError } from '../../client/src/index.ts';
import { json, Peer, type PeerCall, refusal, rejection } from './peer.ts';

const FAST = { intervalMs: 1 };

/** Answers one value after the other; an array is status and body. The last one is answered for ever. */
const inTurn = (...answers: (object | [number, object])[]) =>
  Peer.start((response, _, number) => {
    const answer = answers[Math.min(number, answers.length) - 1] ?? {};
    return Array.isArray(answer) ? json(response, answer[1], answer[0]) : json(response, answer);
  });
const gone: [number, object] = [404, refusal('not_found')];

async function all<T>(source: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const one of source) found.push(one);
  return found;
}

describe('typed client: following a log', () => {
  const line = (second: number, log: string) => ({ _time: `2026-01-01T00:00:0${second}.000Z`, log });
  const log = (...entries: object[]) => ({ status: 'success', container_logs: { entries } });
  const payload = ({ body }: PeerCall) => JSON.parse(body).payload;

  it('shows each line once, lines that are repeated as often as they were written, and late ones', async () => {
    await using peer = await inTurn(
      log(line(1, 'a'), line(1, 'a')),
      log(line(1, 'a'), line(1, 'a'), line(1, 'a'), line(3, 'b')),
      log(line(1, 'a'), line(1, 'a'), line(1, 'a'), line(2, 'late'), line(3, 'b'), line(3, 'c')),
      log(),
      log(line(2, 'late'), line(3, 'b'), line(3, 'c'), line(8, 'd')),
      gone,
    );
    const lines = await all(followLog(peer.client(), 'm', { ...FAST, tail: 5, since: '60' }));
    expect(lines.map((one) => one.log)).to.deep.equal(['a', 'a', 'a', 'b', 'late', 'c', 'd']);
    expect(peer.calls.map(payload)).to.deep.equal([
      { model: 'm', tail: '5', since: '60' },
      { model: 'm', tail: '10000', since: '2026-01-01T00:00:01.000Z' },
      ...Array(3).fill({ model: 'm', tail: '10000', since: '2026-01-01T00:00:01.000Z' }),
      { model: 'm', tail: '10000', since: '2026-01-01T00:00:06.000Z' },
    ]);
  });

  it('a container that is not there is a failure; one that has gone is the end', async () => {
    await using never = await inTurn(gone);
    const error = await rejection(all(followLog(never.client(), 'm', FAST)));
    expect(error).to.be.instanceOf(MlExtensionError).and.to.include({ code: 'not_found' });
    await using quiet = await inTurn(log(), gone);
    expect(await all(followLog(quiet.client(), 'm', FAST))).to.deep.equal([]);
    await using broken = await inTurn(log(), [502, refusal('upstream_error')]);
    expect(await rejection(all(followLog(broken.client(), 'm', FAST)))).to.include({ code: 'upstream_error' });
  });

  it('ends when the consumer has enough, and by an abort while it waits', async () => {
    await using peer = await inTurn(log(line(1, 'a')));
    for await (const _ of followLog(peer.client(), 'm', FAST)) break;
    expect(peer.calls).to.have.length(1);
    const aborting = new AbortController();
    const { signal } = aborting;
    const end = rejection(all(followLog(peer.client(), 'm', { intervalMs: 60_000, signal })));
    setTimeout(() => aborting.abort(), 50);
    expect(await end).to.equal(signal.reason);
  });
});

describe('typed client: following a container', () => {
  const WAITING = 'Waiting for Url to start';
  const state = (status: string, status_reason = '', status_message = '') => ({
    status: 'success',
    config: { m: { model: 'm', status, status_reason, status_message } },
  });

  it('shows how far a pull is, until the container no longer waits', async () => {
    await using peer = await inTurn(
      state(WAITING, 'pulling', '10 %'),
      state(WAITING, 'pulling', '10 %'),
      state(WAITING, 'pulling', '90 %'),
      state(WAITING, 'starting'),
      state('Active'),
    );
    const seen = await all(followContainer(peer.client(), 'm', FAST));
    expect(seen.map(({ status, status_message }) => `${status} ${status_message}`)).to.deep.equal([
      `${WAITING} 10 %`,
      `${WAITING} 90 %`,
      `${WAITING} `,
      'Active ',
    ]);
    expect(peer.calls.map(({ query }) => query.get('model'))).to.deep.equal(Array(5).fill('m'));
  });

  it('ends with what has failed, and without what was stopped', async () => {
    await using failing = await inTurn(state(WAITING), state('Failed', 'oom_killed'));
    const seen = await all(followContainer(failing.client(), 'm', FAST));
    expect(seen.at(-1)).to.include({ status: 'Failed', status_reason: 'oom_killed' });
    await using stopped = await inTurn(state(WAITING), gone);
    expect(await all(followContainer(stopped.client(), 'm', FAST))).to.have.length(1);
    await using never = await inTurn(gone);
    expect(await rejection(all(followContainer(never.client(), 'm', FAST)))).to.include({ code: 'not_found' });
  });
});

describe('typed client: following an agent', () => {
  const progress = (state: string, runtime_status: string, done = 0, outcome = '') => ({
    status: 'success',
    agent_name: 'a',
    action: 'create',
    state,
    previous_state: 'Creating',
    runtime_id: 'r',
    runtime_status,
    attempt: 1,
    elapsed_ms: 5,
    done,
    outcome,
    error_code: '',
    message: '',
  });

  it('shows what has changed, and the end', async () => {
    await using peer = await inTurn(
      progress('Creating', 'CREATING'),
      { ...progress('Creating', 'CREATING'), attempt: 2, elapsed_ms: 9 },
      { ...progress('Creating', 'CREATING'), error_code: 'timeout' },
      progress('Available', 'READY', 1, 'success'),
    );
    const seen = await all(followAgent(peer.client(), 'a', 'create', FAST));
    expect(seen.map((one) => [one.state, one.error_code, one.done])).to.deep.equal([
      ['Creating', '', 0],
      ['Creating', 'timeout', 0],
      ['Available', '', 1],
    ]);
    expect(peer.calls.map(({ path, body }) => [path.slice(-9), body])).to.deep.equal(
      Array(4).fill(['/a/status', '{"action":"create","interval":0.1}']),
    );
  });

  it('an agent whose deletion another has seen the end of is deleted', async () => {
    await using peer = await inTurn(progress('Deleting', 'DELETING'), gone);
    const seen = await all(followAgent(peer.client(), 'a', 'delete', FAST));
    expect(seen.at(-1)).to.include({ state: 'Deleted', previous_state: 'Deleting', done: 1, outcome: 'success' });
  });

  it('an agent that is not there, or that vanishes while it is created, is a failure', async () => {
    await using never = await inTurn(gone);
    expect(await rejection(all(followAgent(never.client(), 'a', 'delete', FAST)))).to.include({ code: 'not_found' });
    await using vanishing = await inTurn(progress('Creating', 'CREATING'), gone);
    expect(await rejection(all(followAgent(vanishing.client(), 'a', 'create', FAST)))).to.include({
      code: 'not_found',
    });
  });
});
