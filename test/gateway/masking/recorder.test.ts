import { expect } from 'chai';
import type { Json } from '../../../src/contract/basics.ts';
import type { MemoryApp } from '../../support/memory/app.ts';
import { ask, configure, gatewayApp } from '../gatewayApp.ts';
import { type PlantedValue, plantedValues } from './planted.ts';

const SETTINGS: Record<string, Json> = {
  General_Chat: {},
  Enterprise_Cloud_Chat: { enterprise_api_version: { value: '2024-10-21' } },
  Assistant_Family: {},
  Cloud_Model_Hub: { region: { value: 'eu-central-1' } },
  Fast_Inference: {},
  Search_Vendor_Models: {},
  Local_Runtime: {},
  Platform_Hosted_Models: {},
};

/** What a model of each dialect answers: a text, and the call of a tool. */
function replyOf(service: string, text: string, args?: Json): Json {
  const name = 'look';
  if (service === 'Assistant_Family') {
    const call = args ? [{ type: 'tool_use', id: 'call-1', name, input: args }] : [];
    return { content: [{ type: 'text', text }, ...call], stop_reason: args ? 'tool_use' : 'end_turn' };
  }
  if (service === 'Cloud_Model_Hub') {
    const call = args ? [{ toolUse: { toolUseId: 'call-1', name, input: args } }] : [];
    return { output: { message: { content: [{ text }, ...call] } }, stopReason: args ? 'tool_use' : 'end_turn' };
  }
  if (service === 'Search_Vendor_Models') {
    const call = args ? [{ functionCall: { name, args } }] : [];
    return { candidates: [{ content: { parts: [{ text }, ...call] }, finishReason: 'STOP' }] };
  }
  if (service === 'Local_Runtime') {
    const calls = args ? { tool_calls: [{ function: { name, arguments: args } }] } : {};
    return { message: { content: text, ...calls }, done_reason: 'stop' };
  }
  const call = { id: 'call-1', type: 'function', function: { name, arguments: JSON.stringify(args) } };
  return { choices: [{ message: { content: text, ...(args ? { tool_calls: [call] } : {}) } }] };
}

/** The text of a body that begins with a mark, wherever the dialect puts it. */
function textWith(value: unknown, mark: string): string | undefined {
  if (typeof value === 'string') return value.startsWith(mark) ? value : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const item of Object.values(value)) {
    const text = textWith(item, mark);
    if (text !== undefined) return text;
  }
  return undefined;
}

const MARK = 'REPORT ';
const VALUES = 5000;
const IN_ONE = 25;

const tools = [
  {
    type: 'function',
    function: {
      name: 'look',
      parameters: { type: 'object', properties: { about: { type: 'string', maxLength: 10 } }, required: ['about'] },
    },
  },
];
const SCHEMA = {
  type: 'object',
  properties: { about: { type: 'string', pattern: '^REPORT ', minLength: 10 } },
  required: ['about'],
  additionalProperties: false,
};

/** Whether a text has a value in a spelling that somebody could read. */
function holds(body: string, { plain }: PlantedValue): boolean {
  const inner = (text: string) => JSON.stringify(text).slice(1, -1);
  const forms = [plain, inner(plain), inner(inner(plain)), inner(inner(inner(plain))), encodeURIComponent(plain)];
  const text = body.toLowerCase();
  return forms.some((form) => text.includes(form.toLowerCase()));
}

describe('masking: what leaves for a provider', () => {
  let app: MemoryApp;
  const bodies: string[] = [];

  beforeEach(async () => {
    app = await gatewayApp();
    app.user('masker', { capabilities: ['edit_masking'] });
    const kinds = Object.fromEntries(
      [
        ...['ipv4', 'ipv6', 'mac', 'email', 'url_secret', 'host', 'win_user', 'sid', 'user', 'phone', 'card', 'iban'],
        ...['us_ssn', 'jwt', 'key', 'pem', 'password'],
      ].map((kind) => [kind, 'mask']),
    );
    const policy = { name: 'all', kinds };
    const saved = await app.call('masker', 'POST', '/masking_policies', policy);
    expect(saved.status, JSON.stringify(saved.json)).to.equal(200);
    bodies.length = 0;
  });

  async function configured(service: string): Promise<string> {
    const settings = {
      ...(service === 'Cloud_Model_Hub'
        ? {}
        : { endpoint: { value: 'https://model.example/v1' }, access_token: { value: 'sk-canary-service' } }),
      ...SETTINGS[service],
    };
    await configure(app, 'model', 'm', {}, { service, servicesettings: settings });
    return `${service}/model/m`;
  }

  function answers(answer: (masked: string) => Json): void {
    const reply = (body: unknown) => {
      bodies.push(JSON.stringify(body));
      return answer(textWith(body, MARK) ?? '');
    };
    app.llm.answer = (call) => ({ json: reply(JSON.parse(call.body ?? '{}')) });
    app.llm.converseOutput = reply;
  }

  for (const service of Object.keys(SETTINGS)) {
    it(`${service}: no planted value leaves, and each comes back`, async function () {
      this.timeout(120_000);
      const model = await configured(service);
      const values = plantedValues(service, VALUES / Object.keys(SETTINGS).length);
      for (let index = 0; index < values.length; index += IN_ONE) {
        const planted = values.slice(index, index + IN_ONE);
        const text = `${MARK}${planted.map(({ text }) => text).join('\n')}`;
        const messages = [{ role: 'user', content: text }];
        const way = (index / IN_ONE) % 3;
        answers((masked) => {
          if (way === 0) return replyOf(service, masked);
          return way === 1
            ? replyOf(service, '', { about: masked })
            : replyOf(service, JSON.stringify({ about: masked }));
        });
        const format = { type: 'json_schema', json_schema: { name: 'answer', schema: SCHEMA } };
        const more = [{}, { tools }, { response_format: format }][way];
        const { status, json } = await ask(app, { model, messages, ...more });
        expect(status, JSON.stringify(json)).to.equal(200);
        for (const body of bodies) {
          const leaked = planted.filter((value) => holds(body, value));
          expect(leaked, body).to.deep.equal([]);
        }
        const { message } = json.choices[0];
        const back = [
          () => message.content,
          () => JSON.parse(message.tool_calls[0].function.arguments).about,
          () => JSON.parse(message.content).about,
        ][way] as () => string;
        // Arguments get the plain value, which the spelling of a text may differ from.
        for (const { text, plain } of planted) {
          if (way === 1) expect(back(), text).to.include(plain);
          else expect(back(), text).to.include(text);
        }
        expect(json.ml.masked, JSON.stringify(json.ml)).to.be.an('object');
        bodies.length = 0;
      }
    });
  }
});
