import { expect } from 'chai';
import { type OutboundCode, OutboundError } from '../../../src/contract/codes/outbound.ts';
import { BATCH_NAMES, type UsageOperation } from '../../../src/contract/families/usage.ts';
import type { FeatureFlag } from '../../../src/contract/settings/flags.ts';
import type { Answer, Json, MemoryApp } from '../../support/memory/app.ts';

/** Content that no log, record of use or audit entry may have. */
export const CONTENT = 'canary-of-content';

/** Data of one operation for `operationSuite`. The user `asker` may use the target in `common`, and none of those in `hidden`. */
export interface OperationSample {
  name: Exclude<UsageOperation, 'invoke_agent' | 'search'>;
  path: string;
  flag: FeatureFlag;
  open(): Promise<MemoryApp>;
  /** Fields of a body that name the target. */
  common: Json;
  /** The others, with this text in them. */
  content(text: string): Json;
  hidden: readonly Json[];
  /** Takes the right to use `common` from `asker`; absent where no access list gives it. */
  withdraw?(app: MemoryApp): Promise<Answer>;
  /** A body with it is refused by the rules of the operation. */
  invalid: Json;
  /** The field of a reply with the answer, which contains `CONTENT` unless it is of vectors. */
  answer: 'choices' | 'data' | 'result';
  /** Makes every request to the upstream fail with this error. */
  fail(app: MemoryApp, error: OutboundError): void;
  /** Makes it answer again. */
  heal(app: MemoryApp): void;
  /** Whether it may change something, so that equal items are not joined and nothing is repeated. */
  hasEffects?: true;
  /** Whether a batch of it can be estimated. */
  canBeEstimated?: true;
  /** Fields of its record of use. */
  record: Json;
}

const REPEATED: readonly OutboundCode[] = ['connection_refused', 'connection_reset', 'upstream_error'];

/** Failures of an upstream: code, details, status and whether callers should retry. Those of an answer that began are not repeated. */
const FAILURES: readonly [OutboundCode, Json, number, boolean][] = [
  ['connection_refused', {}, 502, true],
  ['connection_reset', {}, 502, true],
  ['upstream_error', { httpStatus: 503 }, 502, true],
  ['connection_reset', { isAnswered: true }, 502, true],
  ['rate_limited', { httpStatus: 429, retryAfter: 30 }, 429, true],
  ['permission_denied', { httpStatus: 403 }, 502, false],
  ['auth_failed', { httpStatus: 403 }, 502, false],
  ['quota_exceeded', { httpStatus: 402 }, 429, false],
  ['timeout', {}, 504, false],
];

/** Promises of every operation of the gateway that has an endpoint. */
export function operationSuite(sample: OperationSample): void {
  const { name, path, common, content, hidden, answer } = sample;
  let app: MemoryApp;
  const ask = (more: Json = {}, user = 'asker') =>
    app.call(user, 'POST', `/ai_gateway${path}`, { ...common, ...content(CONTENT), ...more });
  const batch = (items: readonly Json[], more: Json = {}) =>
    app.call('asker', 'POST', '/ai_gateway/batch', {
      ...{ operation: BATCH_NAMES[name], common, parallel: 1, ...more },
      items: items.map((item, index) => ({ id: `${index}`, ...item })),
    });
  const outcome = ({ status, json }: Answer) => [status, json.error_code];
  const outcomes = ({ json }: Answer) => json.result.map((item: Json) => item.error_code ?? item.status);
  const warningsOf = (json: Answer['json']): string[] | undefined => json.ml?.warnings ?? json.warnings;
  const limit = async (more: Json) => {
    app.user('limiter', { capabilities: ['edit_usage_limits'] });
    const body = { name: 'few', window: 'day', applies_to: { operations: [name] }, ...more };
    expect((await app.call('limiter', 'POST', '/usage_limits', body)).status).to.equal(200);
  };
  const uses = async (): Promise<Json[]> => {
    await app.gateway.usage.flush();
    return app.events.map(({ event }) => JSON.parse(JSON.stringify(event)));
  };
  beforeEach(async () => {
    app = await sample.open();
  });

  it('uses what the caller may read, from the next request on', async () => {
    for (const other of hidden)
      expect(outcome(await ask(other)), JSON.stringify(other)).to.deep.equal([404, 'not_found']);
    app.user('nobody', { capabilities: [] });
    expect(outcome(await ask({}, 'nobody'))).to.deep.equal([403, 'missing_capability']);
    expect(outcome(await ask())).to.deep.equal([200, undefined]);
    if (sample.withdraw) {
      expect((await sample.withdraw(app)).status).to.equal(200);
      expect(outcome(await ask())).to.deep.equal([404, 'not_found']);
    }
    expect(await uses()).to.have.length(1);
  });

  it('is off with its feature, in a batch for each item', async () => {
    app.settings.stanzas = { feature_flags: { [sample.flag]: '0' } };
    const refused = await ask();
    expect(outcome(refused)).to.deep.equal([403, 'feature_disabled']);
    expect(refused.json.message).to.include(sample.flag);
    expect(outcomes(await batch([content('a')]))).to.deep.equal(['feature_disabled']);
    const others = [
      'llm_providers',
      'mcp_connections',
      'vector_stores',
      'model_registration',
      'model_upload',
      'containers',
    ];
    app.settings.stanzas = {
      feature_flags: Object.fromEntries(others.filter((flag) => flag !== sample.flag).map((flag) => [flag, '0'])),
    };
    expect(outcome(await ask())).to.deep.equal([200, undefined]);
  });

  it('holds a slot of the user', async () => {
    app.slots.max = 0;
    expect(outcome(await ask())).to.deep.equal([429, 'too_many_requests']);
    expect(await uses()).to.deep.equal([]);
  });

  it('repeats a request once at most, where nothing came, and tells failures by their codes', async () => {
    await ask();
    for (const [code, more, status, mayRetry] of FAILURES) {
      sample.fail(app, new OutboundError(code, 'no', more));
      const failed = await ask();
      expect(outcome(failed), code).to.deep.equal([status, code]);
      expect(failed.headers['x-should-retry'], code).to.equal(String(mayRetry));
      const last = (await uses()).at(-1);
      expect([last?.error_code, last?.attempts]).to.deep.equal([
        code,
        REPEATED.includes(code) && !more.isAnswered && !sample.hasEffects ? 2 : 1,
      ]);
    }
  });

  it('serves batches: items fail alone, and equal ones are asked once unless it has effects', async () => {
    const reply = await batch([
      ...[content('a'), content('a')],
      { ...content('b'), ...hidden[0] },
      { ...content('b'), ...sample.invalid },
      content('c'),
    ]);
    expect(reply.status).to.equal(200);
    expect(outcomes(reply)).to.deep.equal(['done', 'done', 'not_found', 'validation_failed', 'done']);
    expect(reply.json.result[0].response[answer]).to.deep.equal((await ask(content('a'))).json[answer]);
    expect(await uses()).to.have.length(sample.hasEffects ? 4 : 3);
    const dry = await batch([content('a')], { dry_run: true });
    expect([dry.status, dry.json.errors?.[0].field]).to.deep.equal(
      sample.canBeEstimated ? [200, undefined] : [400, 'dry_run'],
    );
    expect(await uses()).to.have.length(sample.hasEffects ? 4 : 3);
  });

  it('is one use each, without contents, and keeps usage limits', async () => {
    await limit({ requests: 3 });
    const reply = JSON.stringify((await ask()).json[answer]);
    expect(reply.includes(CONTENT)).to.equal(name !== 'embeddings');
    sample.fail(app, new OutboundError('connection_refused', 'no'));
    await ask();
    await ask(hidden[0]);
    sample.heal(app);
    expect(outcomes(await batch([content('a'), content('b')]))).to.deep.equal(['done', 'limit_exceeded']);
    const refused = await ask();
    expect(outcome(refused)).to.deep.equal([429, 'limit_exceeded']);
    expect(refused.json.limit.name).to.equal('few');
    const records = await uses();
    expect(records.map((use) => [use.operation, use.outcome, use.error_code])).to.deep.equal([
      [name, 'success', undefined],
      [name, 'fail', 'connection_refused'],
      [name, 'success', undefined],
    ]);
    expect(records[0]).to.include({ user: 'asker', attempts: 1, ...sample.record });
    expect(records[0]).not.to.have.any.keys(
      'content',
      ...('input_tokens' in sample.record ? [] : ['input_tokens', 'cost']),
    );
    await app.gateway.entries.flush();
    const audit = await app.call('root', 'GET', '/audit?count=0');
    expect(JSON.stringify([records, app.completed, app.site.log.lines, audit.json])).not.to.include(CONTENT);
    const { json } = await app.call('asker', 'GET', '/usage?by=operation');
    expect(json.result[0]).to.include({
      operation: name,
      requests: 3,
      failed: 1,
      unpriced: 'input_tokens' in sample.record ? 3 : 0,
    });
  });

  it('warns in the envelope where a limit only warns', async () => {
    await limit({ requests: 1, action: 'warn' });
    expect(warningsOf((await ask()).json) ?? []).to.deep.equal([]);
    expect(warningsOf((await ask()).json)?.[0]).to.include('few');
    const { json } = await batch([content('b')]);
    expect(warningsOf(json.result[0].response)?.[0]).to.include('few');
  });
}
