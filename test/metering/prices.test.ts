import { expect } from 'chai';
import type { WarningLog } from '../../src/contract/settings/warnOnce.ts';
import { confPrice } from '../../src/metering/prices/confPrices.ts';
import table from '../../src/metering/prices/litellm/table.json' with { type: 'json' };
import { chargeFor } from '../../src/metering/prices/price.ts';
import { readPrices } from '../../src/metering/prices/prices.ts';
import { shippedPrice } from '../../src/metering/prices/shippedPrices.ts';
import type { Settings, Stanzas } from '../../src/ports/stores/settings.ts';
import { ageInDays, priceTable } from '../../tools/priceTable.ts';

const quiet = { warn: () => {} };

describe('cost of a use', () => {
  const price = { input: 2.5, cachedInput: 1.25, output: 10, version: 'v' };
  const cost = (tokens: Parameters<typeof chargeFor>[1], of = price as Parameters<typeof chargeFor>[0]) =>
    chargeFor(of, tokens)?.cost;

  it('is that of its tokens, to the last digit', () => {
    expect(cost({ input: 1_000_000, output: 100_000 })).to.equal(3.5);
    expect(cost({ input: 5, output: 7 })).to.equal(0.0000825);
    expect(cost({ input: 3, output: 0 }, { input: 0.1, output: 0, version: 'v' })).to.equal(0.0000003);
    expect(chargeFor(price, { input: 1, output: 0 })?.price_version).to.equal('v');
  });

  it('takes cached tokens out of the input, at the input price where they have none', () => {
    expect(cost({ input: 1000, cached: 400, output: 0 })).to.equal(0.002);
    expect(cost({ input: 1000, cached: 400, output: 0 }, { input: 2.5, output: 10, version: 'v' })).to.equal(0.0025);
    expect(cost({ input: 100, cached: 400, output: 0 }), 'a provider that counts wrongly').to.equal(0.000125);
  });

  it('is unknown without a price, and for an answer if only input has one', () => {
    expect(chargeFor(undefined, { input: 1, output: 1 })).to.equal(undefined);
    expect(cost({ input: 1_000_000, output: 0 }, { input: 3, version: 'v' })).to.equal(3);
    expect(cost({ input: 1, output: 1 }, { input: 3, version: 'v' })).to.equal(undefined);
  });
});

describe('shipped prices', () => {
  const age = ageInDays(table.date, new Date());

  it(`are a table of some hundred models, ${age} days old`, () => {
    const rows = Object.values(table.services).flatMap((prices) => Object.entries<number[]>(prices));
    expect(rows.flatMap(([ids]) => ids.split(' '))).to.have.length.within(300, 2000);
    for (const [ids, [input = 0, output = 0, cached = input]] of rows) {
      expect(input, ids).to.be.within(0.001, 1000);
      expect(output, ids).to.be.within(0, 5000);
      expect(cached, ids).to.be.within(0.0001, input);
    }
    expect(age).to.be.at.least(-1);
    expect(table.price_version).to.match(/^litellm-\d/);
  });

  it('are found by service and model', () => {
    const { price_version: version } = table;
    expect(shippedPrice('General_Chat', 'gpt-4o')).to.deep.equal({
      input: 2.5,
      output: 10,
      cachedInput: 1.25,
      version,
    });
    expect(shippedPrice('General_Chat', 'text-embedding-3-small')).to.include({ input: 0.02, output: 0 });
    expect(shippedPrice('Enterprise_Cloud_Chat', 'gpt-4o')?.input).to.equal(2.5);
    expect(shippedPrice('Assistant_Family', 'claude-sonnet-4-5')?.output).to.equal(15);
    expect(shippedPrice('Search_Vendor_Models', 'gemini-2.5-flash')?.output).to.equal(2.5);
    expect(shippedPrice('Fast_Inference', 'openai/gpt-oss-120b')?.input).to.be.above(0);
    for (const [service, model] of [
      ['General_Chat', 'unknown'],
      ['Fast_Inference', 'gpt-4o'],
      ['Local_Runtime', 'gpt-4o'],
      ['Platform_Hosted_Models', 'gpt-4o'],
    ] as const)
      expect(shippedPrice(service, model), `${service}/${model}`).to.equal(undefined);
  });

  it('of Amazon Bedrock are found for regional profiles, which may cost more', () => {
    const input = (model: string) => shippedPrice('Cloud_Model_Hub', model)?.input;
    expect(input('anthropic.claude-opus-4-6-v1')).to.equal(5);
    expect(input('global.anthropic.claude-opus-4-6-v1')).to.equal(5);
    expect(input('us.anthropic.claude-opus-4-6-v1')).to.equal(5.5);
    expect(input('arn:aws:bedrock:us-east-1:123:inference-profile/us.anthropic.claude-opus-4-6-v1')).to.equal(5.5);
    expect(input('arn:aws:bedrock:us-east-1::foundation-model/anthropic.claude-opus-4-6-v1')).to.equal(5);
  });

  it('are made from chat and embedding models with a price', () => {
    const models = {
      'gpt-a': { litellm_provider: 'openai', mode: 'chat', input_cost_per_token: 1e-6, output_cost_per_token: 2e-6 },
      'gpt-b': {
        ...{ litellm_provider: 'openai', mode: 'chat', input_cost_per_token: 1e-6, output_cost_per_token: 2e-6 },
        ...{ cache_read_input_token_cost: 1e-7 },
      },
      'gpt-c': { litellm_provider: 'openai', mode: 'chat', input_cost_per_token: 1e-6, output_cost_per_token: 2e-6 },
      voice: { litellm_provider: 'openai', mode: 'audio_speech', input_cost_per_token: 1 },
      'gemini/free': { litellm_provider: 'gemini', mode: 'chat', input_cost_per_token: 0, output_cost_per_token: 0 },
      'azure/eu/gpt-a': { litellm_provider: 'azure', mode: 'embedding', input_cost_per_token: 1e-6 },
      'azure/gpt-a': { litellm_provider: 'azure', mode: 'embedding', input_cost_per_token: 1e-6 },
      'x.y': { litellm_provider: 'bedrock', mode: 'embedding', input_cost_per_token: 1e-6 },
      'us.x.y': { litellm_provider: 'bedrock', mode: 'embedding', input_cost_per_token: 1e-6 },
      'eu.x.y': { litellm_provider: 'bedrock_converse', mode: 'embedding', input_cost_per_token: 3e-6 },
    };
    const { services } = priceTable(models, { price_version: 'v', date: '2026-01-01' });
    expect(services).to.deep.equal({
      General_Chat: { 'gpt-a gpt-c': [1, 2], 'gpt-b': [1, 2, 0.1] },
      Enterprise_Cloud_Chat: { 'gpt-a': [1, 0] },
      Assistant_Family: {},
      Cloud_Model_Hub: { 'eu.x.y': [3, 0], 'x.y': [1, 0] },
      Fast_Inference: {},
      Search_Vendor_Models: {},
    });
  });
});

describe('the price of a model', () => {
  const settingsOf = (stanzas: Stanzas) => ({ recent: async () => stanzas }) as unknown as Settings;
  const pricesWith = (stanzas: Stanzas) => readPrices(settingsOf(stanzas), quiet);

  it('is that of the model behind a prefix, or of the base of a fine-tuned one', async () => {
    const prices = await pricesWith({});
    for (const [service, model, of, at = service] of [
      ['Search_Vendor_Models', 'models/gemini-2.5-flash', 'gemini-2.5-flash'],
      ['Search_Vendor_Models', 'publishers/google/models/gemini-2.5-pro', 'gemini-2.5-pro'],
      ['General_Chat', 'models/gemini-2.5-flash', 'gemini-2.5-flash', 'Search_Vendor_Models'],
      ['General_Chat', 'openrouter/openai/gpt-4o', 'gpt-4o'],
      ['General_Chat', 'openai/gpt-4o-mini', 'gpt-4o-mini'],
      ['General_Chat', 'my-proxy/gpt-4o', 'gpt-4o'],
      ['General_Chat', 'azure/gpt-4o', 'gpt-4o', 'Enterprise_Cloud_Chat'],
      ['General_Chat', 'azure/eu/gpt-4o', 'gpt-4o', 'Enterprise_Cloud_Chat'],
      ['Enterprise_Cloud_Chat', 'azure/gpt-4o', 'gpt-4o'],
      ['General_Chat', 'openrouter/anthropic/claude-sonnet-4.5', 'claude-sonnet-4-5', 'Assistant_Family'],
      ['General_Chat', 'bedrock/us.anthropic.claude-opus-4-6-v1', 'us.anthropic.claude-opus-4-6-v1', 'Cloud_Model_Hub'],
      ['General_Chat', 'groq/openai/gpt-oss-120b', 'openai/gpt-oss-120b', 'Fast_Inference'],
      ['General_Chat', 'ft:gpt-4o-mini-2024-07-18:acme::abc', 'ft:gpt-4o-mini-2024-07-18'],
      ['General_Chat', 'ft:gpt-5-mini:acme:name:abc', 'gpt-5-mini'],
      ['General_Chat', 'openai/ft:gpt-5-mini:acme::abc', 'gpt-5-mini'],
    ] as const) {
      const expected = shippedPrice(at, of) ?? expect.fail(`${at}/${of} has no price`);
      expect(prices({ service, model }), `${service}/${model}`).to.deep.equal(expected);
    }
  });

  it('is unknown where a service runs its models itself, and for unknown ones', async () => {
    const prices = await pricesWith({});
    for (const [service, model] of [
      ['Local_Runtime', 'openai/gpt-4o'],
      ['Local_Runtime', 'models/gemini-2.5-flash'],
      ['Platform_Hosted_Models', 'azure/gpt-4o'],
      ['Fast_Inference', 'azure/gpt-4o'],
      ['General_Chat', 'azure/my deployment'],
      ['General_Chat', 'ft:mine:acme::abc'],
      ['General_Chat', 'openrouter/openai/unknown'],
      ['General_Chat', 'ft:'],
      ['General_Chat', '/'],
    ] as const)
      expect(prices({ service, model }), `${service}/${model}`).to.equal(undefined);
  });

  it('is that of ml_prices.conf, by its own name before others', async () => {
    const prices = await pricesWith({
      'General_Chat/gpt-5-mini': { input_per_million: '1' },
      'General_Chat/openrouter/*': { input_per_million: '2' },
      'Enterprise_Cloud_Chat/gpt-4o': { input_per_million: '3' },
    });
    const input = (model: string) => prices({ service: 'General_Chat', model })?.input;
    expect(input('ft:gpt-5-mini:acme::abc')).to.equal(1);
    expect(input('openrouter/openai/gpt-5-mini')).to.equal(2);
    expect(input('azure/gpt-4o')).to.equal(3);
  });
});

describe('prices of ml_prices.conf', () => {
  const input = (stanzas: Stanzas, reference: string, log: WarningLog = quiet) => {
    const [service = '', ...rest] = reference.split('/');
    return confPrice(stanzas, service, rest.join('/'), log)?.input;
  };
  const stanza = (input_per_million: string, more: Record<string, string> = {}) => ({ input_per_million, ...more });

  it('the longest stanza that matches wins', () => {
    const stanzas = {
      'General_Chat/*': stanza('1'),
      'General_Chat/gpt-4o*': stanza('2'),
      'General_Chat/gpt-4o-mini': stanza('3'),
      'General_Chat/gpt-4o-min*': stanza('4'),
      'Local_Runtime/*:*b': stanza('0'),
      '*': stanza('9'),
      default: stanza('9'),
    };
    expect(input(stanzas, 'General_Chat/o3')).to.equal(1);
    expect(input(stanzas, 'General_Chat/gpt-4o-2024')).to.equal(2);
    expect(input(stanzas, 'general_chat/GPT-4o-mini')).to.equal(3);
    expect(input(stanzas, 'Local_Runtime/llama:8b')).to.equal(0);
    expect(input(stanzas, 'Local_Runtime/llama:8bit')).to.equal(undefined);
    expect(input(stanzas, 'Fast_Inference/a/b')).to.equal(undefined);
    expect(input({ 'General_Chat/ab*ba': stanza('1') }, 'General_Chat/aba')).to.equal(undefined);
  });

  it('has all three numbers, and the version conf', () => {
    const numbers = stanza('1.5', { cached_input_per_million: ' 0.15 ', output_per_million: '6' });
    expect(confPrice({ 'General_Chat/m': numbers }, 'General_Chat', 'm', quiet)).to.deep.equal({
      ...{ input: 1.5, cachedInput: 0.15, output: 6, version: 'conf' },
    });
  });

  it('a stanza with an invalid number is ignored and logged once', () => {
    const logged: unknown[] = [];
    const log = { warn: (event: string, fields: object) => void logged.push([event, fields]) };
    const stanzas = {
      'General_Chat/*': stanza('1'),
      'General_Chat/m': stanza('2', { output_per_million: 'a lot' }),
      'General_Chat/n*': { output_per_million: '2' },
    };
    for (const name of ['m', 'm', 'n']) expect(input(stanzas, `General_Chat/${name}`, log)).to.equal(1);
    expect(logged).to.deep.equal([
      ['price_unreadable', { stanza: 'General_Chat/m', setting: 'output_per_million' }],
      ['price_unreadable', { stanza: 'General_Chat/n*', setting: 'input_per_million' }],
    ]);
    for (const bad of ['-1', '1e3', 'NaN', '', '1,5']) {
      expect(input({ 'General_Chat/*': stanza(bad) }, 'General_Chat/m'), bad).to.equal(undefined);
    }
  });
});
