import { expect } from 'chai';
import type { Provider } from '../../../../src/contract/families/llmProviders.ts';
import { type Answered, chatOf, DIALECTED, DIALECTS, failureOf, listOf, vectorsOf } from './asked.ts';

const E = (error: unknown) => ({ error });
const TPM = 'Request too large for model `x` on tokens per minute (TPM): Limit 6000, Requested 14137';

/** Service, HTTP status, body, code, and the status of the failure if it is another one. */
const REFUSALS: [Provider, number, unknown, string, number?][] = [
  // An error in an answer of 200.
  ['General_Chat', 200, E({ code: 429, message: 'Rate limit exceeded' }), 'rate_limited', 429],
  ['General_Chat', 200, E({ code: '429', message: 'Rate limit exceeded' }), 'rate_limited', 429],
  ['General_Chat', 200, E({ code: 402, message: 'Insufficient credits' }), 'quota_exceeded', 402],
  ['General_Chat', 200, E({ code: 401, message: 'No auth' }), 'auth_failed', 401],
  ['General_Chat', 200, E({ code: 403, message: 'Moderated' }), 'permission_denied', 403],
  [
    'General_Chat',
    200,
    E({ code: 400, message: "This endpoint's maximum context length is 10 tokens." }),
    'context_length_exceeded',
    400,
  ],
  [
    'General_Chat',
    200,
    E({ code: 400, type: 'exceed_context_size_error', message: 'the request exceeds the available context size' }),
    'context_length_exceeded',
    400,
  ],
  ['General_Chat', 200, E({ code: 503, message: 'No provider' }), 'upstream_error', 503],
  ['General_Chat', 200, E({ message: 'x', type: 'insufficient_quota' }), 'quota_exceeded'],
  ['General_Chat', 200, E('Rate limit exceeded'), 'rate_limited'],
  ['General_Chat', 200, E({ http_status: 429, message: 'x' }), 'rate_limited', 429],
  ['General_Chat', 200, { success: false, errors: [{ code: 429, message: 'x' }] }, 'rate_limited', 429],
  ['General_Chat', 200, { base_resp: { status_code: 1002, status_msg: 'rate limit' }, choices: null }, 'rate_limited'],
  ['General_Chat', 200, E('The model `x` does not exist'), 'model_not_found'],
  [
    'General_Chat',
    200,
    { object: 'error', code: 404, message: 'The model `x` does not exist.' },
    'model_not_found',
    404,
  ],
  ['General_Chat', 200, { code: 1113, message: 'Insufficient balance' }, 'quota_exceeded'],
  [
    'General_Chat',
    200,
    { ...DIALECTS.General_Chat('half'), ...E({ code: 502, message: 'lost' }) },
    'upstream_error',
    502,
  ],
  ['Fast_Inference', 200, [E({ code: 429, message: 'x' })], 'rate_limited', 429],
  [
    'Assistant_Family',
    200,
    { type: 'error', ...E({ type: 'overloaded_error', message: 'Overloaded' }) },
    'rate_limited',
  ],
  ['Assistant_Family', 200, { type: 'error', ...E({ type: 'authentication_error' }) }, 'auth_failed'],
  ['Search_Vendor_Models', 200, E({ code: 429, status: 'RESOURCE_EXHAUSTED' }), 'rate_limited', 429],
  ['Local_Runtime', 200, E('model "x" not found, try pulling it first'), 'model_not_found'],
  // Words about a long prompt.
  [
    'General_Chat',
    422,
    E('Input validation error: `inputs` must have less than 1024 tokens. Given: 2048'),
    'context_length_exceeded',
  ],
  ['General_Chat', 400, { detail: [{ msg: 'prompt is too long' }] }, 'context_length_exceeded'],
  ['Platform_Hosted_Models', 400, { message: 'Prompt exceeds max length' }, 'context_length_exceeded'],
  // What is too large.
  ['Fast_Inference', 413, E({ message: TPM, type: 'tokens', code: 'rate_limit_exceeded' }), 'bad_request'],
  ['General_Chat', 429, E({ message: TPM, type: 'tokens', code: 'rate_limit_exceeded' }), 'bad_request'],
  [
    'Assistant_Family',
    413,
    E({ type: 'request_too_large', message: 'Request exceeds the maximum size' }),
    'bad_request',
  ],
  ['General_Chat', 413, '<html>413 Request Entity Too Large</html>', 'bad_request'],
  ['Enterprise_Cloud_Chat', 413, '', 'bad_request'],
  // Spent budgets.
  [
    'Assistant_Family',
    400,
    E({
      type: 'invalid_request_error',
      message: 'You have reached your specified API usage limits. You will regain access on x',
    }),
    'quota_exceeded',
  ],
  ['General_Chat', 400, E({ message: 'Budget has been exceeded! x', type: 'budget_exceeded' }), 'quota_exceeded'],
  ['General_Chat', 429, E({ type: 'exceeded_current_quota_error' }), 'quota_exceeded'],
  ['General_Chat', 403, { code: 30001, message: 'Sorry, your account balance is insufficient' }, 'quota_exceeded'],
  ['General_Chat', 403, { code: 30003, message: 'Sorry, this model is not for you' }, 'permission_denied'],
  // Errors in lists and other places.
  ['General_Chat', 404, [E({ code: 404, message: 'models/x is not found', status: 'NOT_FOUND' })], 'model_not_found'],
  ['General_Chat', 429, [E({ code: 'insufficient_quota' }), E({ code: 429 })], 'quota_exceeded'],
  ['General_Chat', 400, [E({ details: [{ reason: 'API_KEY_INVALID' }] })], 'auth_failed'],
  ['General_Chat', 400, 'data: {"error":{"code":"context_length_exceeded"}}\n\n', 'context_length_exceeded'],
  ['General_Chat', 400, '\uFEFF{"error":{"code":"insufficient_quota"}}', 'quota_exceeded'],
  // Unknown models.
  ['General_Chat', 400, E({ message: 'foo/bar is not a valid model ID', code: 400 }), 'model_not_found'],
  ['Search_Vendor_Models', 404, '', 'model_not_found'],
  // Neither API is there.
  ['Local_Runtime', 404, '', 'upstream_error'],
  ['Local_Runtime', 404, { error: 'model "m" not found' }, 'model_not_found'],
];

describe('refusals, in each dialect', () => {
  for (const [service, status, body, code, told = status] of REFUSALS) {
    it(`${service} ${status} ${JSON.stringify(body).slice(0, 90)}: ${code}`, async () => {
      const error = await failureOf(chatOf(service, { status, body }));
      expect([error.code, error.httpStatus], error.message).to.deep.equal([code, told]);
    });
  }

  it('say what was answered', async () => {
    const messageOf = async (answered: Answered) => (await failureOf(chatOf('General_Chat', answered))).message;
    const limited = E({ code: 429, message: 'Rate limit exceeded' });
    expect(await messageOf({ body: limited })).to.equal(
      'The provider answered 200 with the error 429: Rate limit exceeded',
    );
    expect(await messageOf({ status: 429, body: limited })).to.equal('The provider answered 429: Rate limit exceeded');
    expect(await messageOf({ body: E('lost') })).to.equal('The provider answered 200 with an error: lost');
    expect(await messageOf({ body: { ok: true } })).to.equal(
      'The provider answered 200, but not in the form that its API uses',
    );
    expect(await messageOf({ status: 404, body: [E({ message: 'no such path' })] })).to.match(/404: no such path — is/);
  });

  it('are no empty errors beside an answer', async () => {
    for (const error of [
      null,
      '',
      false,
      {},
      { message: '', code: 0 },
      { message: null, code: null },
      { code: 0, message: 'success' },
    ]) {
      const body = { ...DIALECTS.General_Chat('ok'), error };
      expect((await chatOf('General_Chat', { body })).message.content, JSON.stringify(error)).to.equal('ok');
    }
  });

  it('are errors of lists and embeddings too', async () => {
    for (const service of DIALECTED.filter((one) => one !== 'Cloud_Model_Hub')) {
      const error = await failureOf(listOf(service, { body: E({ code: 429, message: 'x' }) }));
      expect(error.code, service).to.equal('rate_limited');
    }
    const spent = await failureOf(vectorsOf('General_Chat', E({ code: 402, message: 'x' })));
    expect(spent.code).to.equal('quota_exceeded');
    const unknown = await failureOf(vectorsOf('Search_Vendor_Models', E({ code: 404, status: 'NOT_FOUND' })));
    expect(unknown.code).to.equal('model_not_found');
  });

  for (const [value, seconds] of [
    ['1.5', 2],
    ['2.5', 3],
    ['59.2', 60],
    ['0.503', 1],
    ['.2', 1],
    ['3.', 3],
    ['0', 0],
    [' 12 ', 12],
    ['99999999999999999999', 86_400],
    ['-1', undefined],
    ['-0.5', undefined],
    ['1e3', undefined],
    ['soon', undefined],
    ['1, 2', undefined],
    ['30s', undefined],
    ['', undefined],
  ] as const) {
    it(`Retry-After "${value}" is ${seconds ?? 'none'}`, async () => {
      const error = await failureOf(
        chatOf('General_Chat', { status: 429, body: {}, headers: { 'retry-after': value } }),
      );
      expect(error.retryAfter).to.equal(seconds);
    });
  }

  it('milliseconds stand in for a Retry-After that is none', async () => {
    const waitAfter = async (headers: Record<string, string>) =>
      (await failureOf(chatOf('General_Chat', { status: 429, body: {}, headers }))).retryAfter;
    expect(await waitAfter({ 'retry-after-ms': '1500' })).to.equal(2);
    expect(await waitAfter({ 'retry-after-ms': '' })).to.equal(undefined);
    expect(await waitAfter({ 'retry-after': 'soon', 'retry-after-ms': '500' })).to.equal(1);
  });
});
