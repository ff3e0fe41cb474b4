import { expect } from 'chai';
import { type MlExtension, operations, TransportError } from '../../client/src/index.ts';
import { mlx } from './mlx/mlx.ts';
import { HEALTH, json, Peer, refusal, rejection } from './peer.ts';

/** The failure of the first tries. */
type Trouble = (response: Parameters<Parameters<typeof Peer.start>[0]>[0]) => unknown;
const cut: Trouble = (response) => response.destroy();
const cutLater: Trouble = (response) =>
  response.writeHead(200, { 'Content-Length': '1000' }).write('{', () => response.destroy());
const notReady: Trouble = (response) => json(response, refusal('store_unavailable'), 503);
const throttled: Trouble = (response) => json(response, refusal('rate_limited'), 429, { 'Retry-After': '0' });
const badGateway: Trouble = (response) => response.writeHead(502).end('<html></html>');
const disabled: Trouble = (response) => json(response, refusal('store_unavailable', { should_retry: false }), 503);
const bug: Trouble = (response) => json(response, refusal('internal_error'), 500);
const upstream: Trouble = (response) => json(response, refusal('upstream_error'), 502);

const CREATE = { name: 'n', type: 'PLATFORM', details: { url: 'https://x.example' } } as const;
type Make = (ml: MlExtension) => Promise<unknown>;
const READS: Record<string, Make> = {
  getHealth: (ml) => ml.call('getHealth'),
  getContainerLogs: (ml) => ml.call('getContainerLogs', { body: { payload: { model: 'm' } } }),
};
const IDEMPOTENT: Record<string, Make> = {
  followAgent: (ml) => ml.call('followAgent', { params: { agent_name: 'a' }, body: { action: 'create' } }),
  setCtsmFeature: (ml) => ml.call('setCtsmFeature', { body: { ctsm_opt_out: true } }),
  updateMcpConnection: (ml) => ml.call('updateMcpConnection', { body: { name: 'n' } }),
  deleteMcpConnection: (ml) => ml.call('deleteMcpConnection', { params: { name: 'n' } }),
};
const ONCE: Record<string, Make> = {
  createMcpConnection: (ml) => ml.call('createMcpConnection', { body: CREATE }),
  testMcpConnection: (ml) => ml.call('testMcpConnection', { body: { name: 'n' } }),
  deleteContainer: (ml) => ml.call('deleteContainer', { params: { model_name: 'm' } }),
  'updateMcpConnection with If-Match': (ml) => ml.call('updateMcpConnection', { body: { name: 'n' }, ifMatch: 3 }),
  'updateMcpConnection with version': (ml) => ml.call('updateMcpConnection', { body: { name: 'n', version: 3 } }),
  'updateMcpConnection with verify': (ml) =>
    ml.call('updateMcpConnection', { body: { name: 'n' }, query: { verify: true } }),
  'deleteMcpConnection with ?version': (ml) =>
    ml.call('deleteMcpConnection', { params: { name: 'n' }, query: { version: 3 } }),
};

/** The number of calls to a server whose first answers are failures. */
async function tries(make: Make, trouble: Trouble, { times = 1, retries = 2 } = {}): Promise<number> {
  await using peer = await Peer.start((response, _, number) =>
    number <= times ? trouble(response) : json(response, HEALTH),
  );
  const ended = await make(peer.client({ retries })).then(
    () => 'well',
    (error: { tries: number }) => error.tries,
  );
  if (ended !== 'well') expect(ended).to.equal(peer.calls.length);
  return peer.calls.length;
}

describe('typed client: retries', () => {
  for (const [name, make] of Object.entries({ ...READS, ...IDEMPOTENT })) {
    it(`repeats ${name} after a lost answer, an unavailable store, a rate limit and a proxy error`, async () => {
      const troubles = [cut, cutLater, notReady, throttled, badGateway];
      expect(await Promise.all(troubles.map((trouble) => tries(make, trouble)))).to.deep.equal([2, 2, 2, 2, 2]);
    });
  }

  for (const [name, make] of Object.entries(ONCE)) {
    it(`does not repeat ${name} once it may have been done`, async () => {
      const troubles = [cut, cutLater, notReady, throttled, badGateway];
      expect(await Promise.all(troubles.map((trouble) => tries(make, trouble)))).to.deep.equal([1, 1, 1, 1, 1]);
    });
  }

  it('lists the operations that are safe to repeat', () => {
    const posts = Object.entries(operations).filter(([, { method }]) => method === 'POST');
    expect(posts.length).to.be.above(20);
    // Repeated here so that a change is deliberate.
    expect(Object.keys({ ...READS, ...IDEMPOTENT }).filter((id) => posts.some(([post]) => post === id))).to.have.length(
      3,
    );
  });

  it('does not retry permanent failures', async () => {
    const make = READS.getHealth as Make;
    const troubles = [bug, upstream, disabled];
    expect(await Promise.all(troubles.map((trouble) => tries(make, trouble)))).to.deep.equal([1, 1, 1]);
  });

  it('retries twice by default and never with 0', async () => {
    const make = READS.getHealth as Make;
    expect(await tries(make, notReady, { times: 9 })).to.equal(3);
    expect(await tries(make, notReady, { times: 9, retries: 4 })).to.equal(5);
    expect(await tries(make, notReady, { times: 9, retries: 0 })).to.equal(1);
    expect(await tries((ml) => ml.call('getHealth', {}, { retries: 1 }), notReady, { times: 9 })).to.equal(2);
  });

  it('retries any call that was not sent, but no write that may have arrived', async () => {
    const refused = () => new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } });
    const broken = () => new TypeError('fetch failed', { cause: { code: 'ECONNRESET' } });
    const create = ONCE.createMcpConnection as Make;
    const outcome = async (make: Make, ...faults: Error[]) => {
      let calls = 0;
      const send: typeof fetch = async () => {
        calls += 1;
        const fault = faults[calls - 1];
        if (fault) throw fault;
        return Response.json(HEALTH);
      };
      await using peer = await Peer.start(() => undefined);
      const end = await make(peer.client({ fetch: send, retries: 2 })).catch(
        (error: TransportError) => error.mayBeDone,
      );
      return [calls, end];
    };
    expect(await outcome(create, refused(), refused())).to.deep.equal([3, HEALTH]);
    expect(await outcome(create, refused(), broken(), refused())).to.deep.equal([2, true]);
    // The last try does not show whether the first was sent.
    const update = IDEMPOTENT.updateMcpConnection as Make;
    expect(await outcome(update, broken(), ...Array(2).fill(refused()))).to.deep.equal([3, true]);
    expect(await outcome(update, ...Array(3).fill(refused()))).to.deep.equal([3, false]);
  });

  /** Bodies of a 429 that splunkd, or a proxy, answers before the app has seen the call. */
  const BUSY: Record<string, string> = {
    nothing: '',
    'a page': '<html><title>429 Too Many Requests</title></html>',
    XML: '<response><messages><msg type="ERROR">Too many requests</msg></messages></response>',
    messages: '{"messages":[{"type":"ERROR","text":"Too many requests"}]}',
  };
  for (const [what, body] of Object.entries(BUSY)) {
    const busy: Trouble = (response) => response.writeHead(429, { 'Retry-After': '0' }).end(body);
    it(`repeats any operation after a 429 of the platform with ${what}`, async () => {
      const make = { ...READS, ...IDEMPOTENT, ...ONCE };
      const numbers = await Promise.all(Object.values(make).map((each) => tries(each, busy)));
      expect(numbers).to.deep.equal(numbers.map(() => 2));
    });

    it(`says that the platform is busy where a 429 with ${what} stays`, async () => {
      await using peer = await Peer.start(busy);
      const error = (await rejection(peer.client().call('createMcpConnection', { body: CREATE }))) as TransportError;
      expect(error).to.include({ problem: 'busy', status: 429, retryAfter: 0, mayBeDone: false, isTransient: true });
      expect(error.message).to.match(/ has too many calls under way and refused this one \(429\)$/);
    });
  }

  const SAID: Record<number, RegExp> = {
    429: /^mlx: \S+ has too many calls under way and refused this one \(429\)\n$/,
    502: /^mlx: \S+ answered 502 with an HTML page: this is not an answer of the Machine Learning Extension\n/,
  };
  for (const [status, words] of Object.entries(SAID)) {
    it(`lets mlx wait after a ${status} that is not of the app, and say so where it stays`, async () => {
      await using peer = await Peer.start((response) =>
        response.writeHead(Number(status), { 'Retry-After': '0' }).end('<html></html>'),
      );
      const { code, stderr } = await mlx(['status', '--url', peer.url], { ML_TOKEN: 'a-token-of-tests' });
      expect([code, peer.calls.length]).to.deep.equal([1, 3]);
      expect(stderr).to.match(words);
    });
  }

  it('remembers an earlier try that may have arrived, whatever the platform refuses since', async () => {
    const make = IDEMPOTENT.updateMcpConnection as Make;
    await using peer = await Peer.start((response, _, number) =>
      number === 1 ? response.destroy() : response.writeHead(429, { 'Retry-After': '0' }).end(),
    );
    expect(await rejection(make(peer.client({ retries: 1 })))).to.include({ problem: 'busy', mayBeDone: true });
  });

  it('does not retry an untrusted certificate', async () => {
    let calls = 0;
    const send: typeof fetch = async () => {
      calls += 1;
      throw new TypeError('fetch failed', { cause: { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' } });
    };
    await using peer = await Peer.start(() => undefined);
    const error = await rejection(peer.client({ fetch: send, retries: 5 }).call('getHealth'));
    expect(error).to.include({ problem: 'network', mayBeDone: false, isTransient: false });
    expect(calls).to.equal(1);
  });

  it('respects Retry-After, and gives up if it exceeds the time limit', async () => {
    const at: number[] = [];
    await using peer = await Peer.start((response, _, number) => {
      at.push(performance.now());
      if (number === 1) return json(response, refusal('rate_limited', { retry_after: 1 }), 429);
      return json(response, HEALTH);
    });
    await peer.client({ retries: 1 }).call('getHealth');
    expect((at[1] ?? 0) - (at[0] ?? 0)).to.be.above(999);

    for (const later of ['3', new Date(Date.now() + 4000).toUTCString(), '3600']) {
      await using busy = await Peer.start((response) =>
        json(response, refusal('store_unavailable'), 503, { 'Retry-After': later }),
      );
      const timeoutMs = later === '3600' ? Number.POSITIVE_INFINITY : 2000;
      const error = await rejection(busy.client({ retries: 3, timeoutMs }).call('getHealth'));
      expect(error, later).to.include({ name: 'MlExtensionError', code: 'store_unavailable', tries: 1 });
      expect(error).to.have.property('retryAfter').that.is.above(2);
    }
  });

  it('ends the wait for a retry on abort', async () => {
    const aborting = new AbortController();
    await using peer = await Peer.start((response) => {
      setTimeout(() => aborting.abort(), 20);
      json(response, refusal('store_unavailable'), 503, { 'Retry-After': '30' });
    });
    const { signal } = aborting;
    expect(await rejection(peer.client({ retries: 3 }).call('getHealth', {}, { signal }))).to.equal(signal.reason);
    expect(peer.calls).to.have.length(1);
  });

  it('applies the time limit to all tries together', async () => {
    await using peer = await Peer.start((response, _, number) => (number < 3 ? notReady(response) : undefined));
    const error = await rejection(peer.client({ retries: 9, timeoutMs: 1500 }).call('getHealth'));
    expect(error).to.be.instanceOf(TransportError);
    expect(error).to.include({ problem: 'timeout', tries: 3 });
  });
});
