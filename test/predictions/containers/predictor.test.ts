import { expect } from 'chai';
import { startDeadline } from '../../../src/domain/async/deadline.ts';
import { unmasked } from '../../../src/masking/outgoing.ts';
import { faultOf } from '../../support/fault.ts';
import { countedUpstream } from '../../support/upstream.ts';
import { outboundOf, ServedContainer, TOKEN } from './served.ts';

type Split = { dataframe_split: { data: number[][] } };

describe('predictions of a container', () => {
  let server: ServedContainer;
  let sizes: number[];
  const rowsOf = (count: number) => Array.from({ length: count }, (_, a) => ({ a }));
  /** Answers the value of the field, and refuses calls with one of these values. */
  const echoing = (bad: readonly number[] = [], status = 400) => {
    sizes = [];
    server.serve = (path, body: Split) => {
      if (path !== '/invocations') return undefined;
      const { data } = body.dataframe_split;
      const values = data.map(([a]) => a as number);
      sizes.push(values.length);
      return values.some((a) => bad.includes(a))
        ? { status, text: JSON.stringify({ error_code: 'BAD_REQUEST', message: `bad value ${TOKEN}` }) }
        : { predictions: values };
    };
  };
  beforeEach(async () => {
    server = await new ServedContainer().start('mlflow');
    echoing();
  });

  it('come in slices, in order, four calls at a time', async () => {
    let [now, most] = [0, 0];
    const { request } = server.containers.applications;
    server.containers.applications.request = async (target, call) => {
      if (call.method === 'GET') return request(target, call);
      most = Math.max(most, ++now);
      await new Promise((done) => setTimeout(done, Math.random() * 5));
      now -= 1;
      return request(target, call);
    };
    const { result, errors } = await server.predict(rowsOf(9500));
    expect(errors).to.deep.equal([]);
    expect(result.map((one) => one?.prediction)).to.deep.equal(rowsOf(9500).map(({ a }) => a));
    expect(sizes.sort((a, b) => b - a)).to.deep.equal([...Array(9).fill(1000), 500]);
    expect(most).to.equal(4);
  });

  for (const status of [400, 413, 422, 500]) {
    it(`of a slice that is refused with ${status} are halved down to the row`, async () => {
      echoing([17, 1000], status);
      const { result, errors } = await server.predict(rowsOf(2000));
      expect(errors.map(({ row }) => row)).to.deep.equal([17, 1000]);
      expect(errors[0]?.error_code).to.equal(status === 500 ? 'upstream_error' : 'bad_request');
      expect(errors[0]?.message).to.equal(`The container answered ${status}: bad value [redacted]`);
      expect(result.filter((one) => one === null)).to.have.length(2);
      expect(result[18]).to.deep.equal({ prediction: 18 });
      expect(sizes.length).to.be.below(50);
    });
  }

  for (const [status, code] of [
    [401, 'auth_failed'],
    [403, 'permission_denied'],
    [404, 'upstream_error'],
    [429, 'rate_limited'],
    [503, 'upstream_error'],
    [504, 'upstream_error'],
  ] as const) {
    it(`fail as a whole with ${status}`, async () => {
      echoing([5], status);
      const error = await outboundOf(server.predict(rowsOf(10)));
      expect([error.code, error.httpStatus]).to.deep.equal([code, status]);
      expect(error.message).to.contain('[redacted]').and.not.to.contain(TOKEN);
      expect(sizes).to.deep.equal([10]);
    });
  }

  it('are refused with the time that the container asks to wait', async () => {
    const { request } = server.containers.applications;
    for (const [status, value, seconds] of [
      [429, '7', 7],
      [503, '30', 30],
      [429, 'soon', undefined],
    ] as const) {
      server.containers.applications.request = async (target, call) =>
        call.method === 'GET'
          ? request(target, call)
          : { status, headers: { 'retry-after': value }, text: '', fingerprint: undefined };
      expect((await outboundOf(server.predict(rowsOf(10)))).retryAfter).to.equal(seconds);
    }
  });

  it('of rows that cannot be sent fail alone, and nothing is asked without any other', async () => {
    const rows = [{ a: 1, b: 2 }, { a: 1 }, { a: null, b: 2 }, { a: { x: 1 }, b: 2 }, { a: 1, b: '' }];
    const { result, errors } = await server.predict(rows);
    expect(result).to.deep.equal([{ prediction: 1 }, null, null, null, null]);
    expect(errors.map(({ row, error_code }) => [row, error_code])).to.deep.equal([
      [1, 'missing_field'],
      [2, 'missing_field'],
      [3, 'unreadable_value'],
      [4, 'missing_field'],
    ]);
    sizes = [];
    expect((await server.predict([{ a: null }])).errors).to.have.length(1);
    expect(sizes).to.deep.equal([]);
  });

  it('go through the frame of the gateway, one request at a time', async () => {
    const predictor = await server.open();
    expect(predictor).to.include({ type: 'container', model: 'Churn', connection: 'container' });
    using deadline = startDeadline(5000);
    const upstream = countedUpstream(deadline);
    await predictor.predict(unmasked({ rows: rowsOf(1500) }), upstream, () => {});
    expect(upstream.attempts).to.equal(2);
  });

  it('need a container that is Active, which is looked at again if it was not', async () => {
    expect(server.platform.records.all('ml_containers')[0]).to.include({ status: 'Waiting for Url to start' });
    expect((await server.predict([{ a: 1 }])).errors).to.deep.equal([]);
    expect(server.platform.records.all('ml_containers')[0]).to.include({ status: 'Active', protocol: 'mlflow' });
    server.containers.probed = [];
    await server.predict([{ a: 1 }]);
    expect(server.containers.probed.map(({ url }) => url)).to.deep.equal(['http://one:5000/invocations']);
    server.isReady = false;
    server.serve = () => undefined;
    for (let times = 0; times < 3; times++) await server.site().observer.observe();
    const fault = await faultOf(server.open());
    expect(fault.code).to.equal('invalid_state');
    expect(fault.message).to.equal(
      'The container Churn is not Active: its status is Unreachable (last probe: http_404)',
    );
    expect((await faultOf(server.open('other'))).code).to.equal('not_found');
  });

  it('are sent to no address of an earlier connection', async () => {
    await server.predict([{ a: 1 }]);
    const { connections } = server.site();
    const moved = {
      container_type: 'docker',
      connection_name: 'one',
      endpoint_hostname: 'two',
      api_token: 'token-2',
      is_edit: 'true',
    };
    const draft = await connections.draft(moved as never);
    await connections.save(draft, { user: 'admin', roles: [], capabilities: [] } as never, undefined);
    server.containers.probed = [];
    await server.predict([{ a: 1 }]);
    expect(new Set(server.containers.probed.map(({ url, token }) => `${new URL(url).host} ${token}`))).to.deep.equal(
      new Set(['two:5000 token-2']),
    );
  });

  it('are not those of a language model or an agent', async () => {
    for (const [protocol, said] of [
      ['openai', 'container/Churn'],
      ['agent', 'is an agent'],
    ] as const) {
      const other = await new ServedContainer().start(protocol);
      const fault = await faultOf(other.open());
      expect([fault.code, fault.extra.param]).to.deep.equal(['not_supported', 'model']);
      expect(fault.message).to.contain(said);
    }
  });
});
