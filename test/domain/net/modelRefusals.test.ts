import { expect } from 'chai';
import { codeOfRefusal, codeOfWords, type ModelRefusal } from '../../../src/domain/net/modelRefusals.ts';
import { CODE_ROWS } from '../../../src/domain/net/refusalCodes.ts';
import { WORD_ROWS } from '../../../src/domain/net/refusalWords.ts';

const refusal = (more: Partial<ModelRefusal>): ModelRefusal => ({
  asked: 'chat',
  status: 400,
  codes: [],
  message: '',
  ...more,
});

describe('refusals of providers', () => {
  for (const { code, provider, codes } of CODE_ROWS) {
    for (const one of codes) {
      it(`${provider}: ${one} means ${code}, in any case and before any words`, () => {
        for (const given of [one, one.toLowerCase(), one.toUpperCase()])
          for (const message of ['', 'no such thing'])
            expect(codeOfRefusal(refusal({ codes: ['invalid_request_error', given], message }))).to.equal(code);
      });
    }
  }

  for (const { code, provider, words, says } of WORD_ROWS) {
    it(`${provider}: "${says}" means ${code}`, () => {
      expect(words.test(says)).to.equal(true);
      const status = code === 'rate_limited' ? 200 : 400;
      expect(codeOfRefusal(refusal({ status, message: says }))).to.equal(code);
    });
  }

  it('have a row for each provider and code once, and a date', () => {
    const all = CODE_ROWS.flatMap(({ codes }) => codes.map((one) => one.toLowerCase()));
    expect(new Set(all).size).to.equal(all.length);
    for (const { seen } of [...CODE_ROWS, ...WORD_ROWS]) expect(seen).to.match(/^20\d\d-\d\d$/);
  });

  it('are told by codes, where words say something else', () => {
    const message = 'The model x does not exist';
    expect(codeOfRefusal(refusal({ codes: ['insufficient_quota'], message }))).to.equal('quota_exceeded');
    expect(codeOfRefusal(refusal({ codes: ['400'], message }))).to.equal('model_not_found');
    const limited = 'You exceeded your current quota, please check your plan and billing details.';
    expect(codeOfRefusal(refusal({ status: 429, codes: ['RESOURCE_EXHAUSTED'], message: limited }))).to.equal(
      'rate_limited',
    );
    expect(codeOfRefusal(refusal({ status: 429, message: limited }))).to.equal('quota_exceeded');
  });

  it('of what is too large are never worth repeating, whatever their code', () => {
    const tpm = 'Request too large for model `x` on tokens per minute (TPM): Limit 6000, Requested 14137';
    for (const status of [413, 429, 400])
      expect(codeOfRefusal(refusal({ status, codes: ['tokens', 'rate_limit_exceeded'], message: tpm }))).to.equal(
        'bad_request',
      );
    expect(codeOfRefusal(refusal({ status: 413 }))).to.equal('bad_request');
    for (const code of ['context_length_exceeded', 'exceed_context_size_error', 'tokens_limit_reached'])
      expect(codeOfRefusal(refusal({ status: 413, codes: [code] })), code).to.equal('context_length_exceeded');
    const long = 'Prompt is too long';
    expect(codeOfRefusal(refusal({ status: 413, codes: ['request_too_large'], message: long }))).to.equal(
      'context_length_exceeded',
    );
  });

  it('are believed with fitting statuses only', () => {
    const words = (status: number, message: string, asked: ModelRefusal['asked'] = 'chat') =>
      codeOfWords({ asked, status, message });
    expect(words(401, 'The model x does not exist')).to.equal(undefined);
    expect(words(502, 'insufficient balance')).to.equal(undefined);
    expect(words(403, 'insufficient balance')).to.equal('quota_exceeded');
    expect(words(404, 'model not found', 'list')).to.equal(undefined);
    expect(words(404, 'model not found', 'embed')).to.equal('model_not_found');
    expect(codeOfRefusal(refusal({ status: 403, codes: ['model_not_found'] }))).to.equal('permission_denied');
    expect(words(400, `${'x'.repeat(3000)} insufficient balance`)).to.equal(undefined);
  });

  const OTHERS: [string, string, number?][] = [
    ['context_length_exceeded', "This endpoint's maximum context length is 10 tokens."],
    ['context_length_exceeded', 'the request exceeds the available context size, try increasing it', 500],
    ['context_length_exceeded', '`inputs` must have less than 512 tokens. Given: 600', 413],
    ['context_length_exceeded', 'Input is too long for requested model.'],
    ['context_length_exceeded', "Requested token count exceeds the model's maximum context length of 8192 tokens."],
    ['context_length_exceeded', 'input length and `max_tokens` exceed context limit: 198000 + 8192 > 200000'],
    [
      'context_length_exceeded',
      'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000',
      422,
    ],
    ['context_length_exceeded', 'invalid params, context window exceeds limit (2013)'],
    [
      'quota_exceeded',
      'You have reached your specified workspace API usage limits. You will regain access on 2026-12-01',
    ],
    ['quota_exceeded', 'ExceededBudget: User x over budget. Spend: 11.0, Budget: 10.0'],
    ['context_length_exceeded', 'Prompt length (9000) exceeds the maximum allowed length (8192)'],
    ['context_length_exceeded', "The total number of tokens in the prompt exceeds the model's limit"],
    ['context_length_exceeded', 'Prompt 超长'],
    ['quota_exceeded', 'Key limit exceeded (monthly limit). Manage it using https://openrouter.ai/settings/keys', 403],
    ['quota_exceeded', '余额不足或无可用资源包,请充值。', 429],
    ['content_filtered', 'Your request was rejected as a result of our safety system.'],
    ['model_not_found', 'The model grok-1 was deprecated on 2026-01-01 and is no longer accessible via the API.', 404],
    ['quota_exceeded', 'Insufficient Balance', 402],
    ['quota_exceeded', 'Insufficient balance or no resource package. Please recharge.', 429],
    ['model_not_found', 'Model Not Exist'],
    ['model_not_found', 'Model does not exist. Please check it carefully.'],
    ['model_not_found', 'Unknown Model, please check the model code.'],
    ['model_not_found', "model 'x' not found, try pulling it first", 404],
  ];
  for (const [code, message, status = 400] of OTHERS) {
    it(`${status} "${message}": ${code}`, () => {
      expect(codeOfRefusal(refusal({ status, message }))).to.equal(code);
    });
  }

  for (const message of [
    'max_tokens: 100000 > 8192, which is the maximum allowed number of output tokens',
    "Unsupported value: 'temperature' does not support 0.2 with this model.",
    'No endpoints found that support image input',
    'This response_format type is unavailable now',
    'tools.0.input_schema: Field required',
    'Image exceeds the maximum size of 5 MB',
    'The number of images in the input exceeds the limit',
    'max_tokens is too large: 100000. This model supports at most 16384 completion tokens',
  ]) {
    it(`"${message}" is no more than a bad request`, () => {
      expect(codeOfRefusal(refusal({ message }))).to.equal(undefined);
    });
  }
});
