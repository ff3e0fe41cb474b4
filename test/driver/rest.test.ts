import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { resting } from '../../src/driver/rest.ts';
import type { RestReply, RestRequest } from '../../src/rest/request.ts';
import { eventually } from '../support/time.ts';

const MIB = 1024 * 1024;
const IDLE_MS = 20;
const request = {} as RestRequest;

describe('a driver that rests', () => {
  let used: number;
  let given: number;
  const memory = {
    resident: () => used,
    giveBack: () => {
      given += 1;
      used = 50 * MIB;
    },
  };
  beforeEach(() => {
    used = 50 * MIB;
    given = 0;
  });

  const taking = (bytes: number) => async (): Promise<RestReply> => {
    used += bytes;
    return { status: 200, headers: {}, payload: '' };
  };
  const isGiven = (times: number) => eventually(() => given === times, 10_000, `${times} times`);

  it('gives back what a request has taken, and again after the next', async () => {
    const serve = resting(taking(30 * MIB), memory, IDLE_MS);
    await serve(request);
    expect(given).to.equal(0);
    await isGiven(1);
    await sleep(5 * IDLE_MS);
    expect([given, used]).to.deep.equal([1, 50 * MIB]);
    await serve(request);
    await isGiven(2);
  });

  it('does nothing where little has been taken, until it adds up', async () => {
    const serve = resting(taking(4 * MIB), memory, IDLE_MS);
    await serve(request);
    await sleep(5 * IDLE_MS);
    expect(given).to.equal(0);
    await serve(request);
    await isGiven(1);
  });

  it('waits for the end of what is going on, also where that fails', async () => {
    const { promise, reject } = Promise.withResolvers<RestReply>();
    let calls = 0;
    const serve = resting(
      () => {
        calls += 1;
        return calls === 1 ? taking(30 * MIB)() : promise;
      },
      memory,
      IDLE_MS,
    );
    await serve(request);
    const failing = serve(request).catch((error: Error) => error.message);
    await sleep(5 * IDLE_MS);
    expect(given).to.equal(0);
    reject(new Error('it broke'));
    expect(await failing).to.equal('it broke');
    await isGiven(1);
  });
});
