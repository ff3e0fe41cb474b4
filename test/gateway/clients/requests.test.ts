import { expect } from 'chai';
import type { Json } from '../../../src/contract/basics.ts';
import type { MemoryApp } from '../../support/memory/app.ts';
import { ask, gatewayApp, hello } from '../gatewayApp.ts';
import { configureService, type Service } from './services.ts';

const OPENAI = 'https://api.openai.com/v1';
const jpeg = Buffer.from('ffd8ffe000104a464946', 'hex').toString('base64');
const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex').toString('base64');
const gif = Buffer.from('GIF89a..').toString('base64');
const webp = Buffer.from('RIFF....WEBPVP8 ').toString('base64');

describe('a request of a client', () => {
  let app: MemoryApp;
  beforeEach(async () => {
    app = await gatewayApp();
  });

  /** What the service gets of a request, and the warnings. */
  async function asked(service: Service, body: Json, address?: string): Promise<{ body: Json; warnings: string[] }> {
    const { reference, bodies } = await configureService(app, service, address === undefined ? {} : { address });
    const { status, json } = await ask(app, { model: reference, ...body });
    expect(status, JSON.stringify(json)).to.equal(200);
    return { body: bodies.at(-1) ?? {}, warnings: json.ml.warnings };
  }

  describe('with tools', () => {
    const withParameters = (parameters: unknown) => ({
      tools: [{ type: 'function', function: { name: 'ping', parameters } }],
    });
    const SCHEMAS: [string, (body: Json) => unknown][] = [
      ['Assistant_Family', (body) => (body.tools as Json[])[0]?.input_schema],
      ['Cloud_Model_Hub', ({ toolConfig }) => (toolConfig as { tools: Json[] }).tools[0]?.toolSpec],
      [
        'Search_Vendor_Models',
        ({ tools }) => (tools as { functionDeclarations: Json[] }[])[0]?.functionDeclarations[0],
      ],
      ['Local_Runtime', ({ tools }) => (tools as { function: Json }[])[0]?.function.parameters],
    ];
    for (const [service, read] of SCHEMAS) {
      it(`completes their schemas for ${service}`, async () => {
        const empty = { type: 'object', properties: {} };
        const one = { properties: { a: { type: 'string' } }, required: ['a'] };
        for (const [given, expected] of [
          [{}, empty],
          [null, empty],
          [{ type: null }, empty],
          [{ properties: null }, empty],
          [{ type: 'object', properties: [] }, empty],
          [one, { type: 'object', ...one }],
          [
            { type: ['object', 'null'], ...one },
            { type: 'object', ...one },
          ],
          [{ type: 'object' }, { type: 'object' }],
        ]) {
          const { body } = await asked(service as Service, withParameters(given));
          expect(JSON.stringify(read(body)), JSON.stringify(given)).to.include(JSON.stringify(expected));
        }
      });
    }

    it("leaves their schemas as they came in OpenAI's dialect", async () => {
      const { body } = await asked('General_Chat', withParameters({ properties: {} }));
      expect(body.tools).to.deep.equal(withParameters({ properties: {} }).tools);
    });

    it('sends no choice where there are none, and says so where one was demanded', async () => {
      for (const service of ['General_Chat', 'Fast_Inference', 'Assistant_Family', 'Cloud_Model_Hub'] as const) {
        for (const tools of [[], null, undefined]) {
          for (const tool_choice of ['auto', 'none', 'required', { type: 'function', function: { name: 'f' } }]) {
            const { body, warnings } = await asked(service, { tools, tool_choice, parallel_tool_calls: true });
            expect(body).not.to.have.any.keys('tools', 'tool_choice', 'parallel_tool_calls', 'toolConfig');
            const isDemanded = tool_choice !== 'auto' && tool_choice !== 'none';
            expect(warnings.length, `${service} ${tool_choice}`).to.equal(isDemanded ? 1 : 0);
          }
        }
      }
    });
  });

  it('does not end in white space where the answer is to be continued', async () => {
    const chat = (content: string) => ({ messages: [...hello, { role: 'assistant', content }] });
    for (const [given, expected] of [
      ['Sure: ', 'Sure:'],
      ['Sure:\n\n', 'Sure:'],
      [' {"a":\t', ' {"a":'],
    ] as const) {
      expect((await asked('Assistant_Family', chat(given))).body.messages).to.deep.include({
        role: 'assistant',
        content: expected,
      });
      expect((await asked('Cloud_Model_Hub', chat(given))).body.messages).to.deep.include({
        role: 'assistant',
        content: [{ text: expected }],
      });
      expect((await asked('General_Chat', chat(given))).body.messages).to.deep.include(chat(given).messages[1]);
    }
    const earlier = await asked('Assistant_Family', { messages: [...chat('Sure: ').messages, ...hello] });
    expect(earlier.body.messages).to.deep.include({ role: 'assistant', content: 'Sure: ' });
  });

  it('has the arguments of earlier calls as the JSON text of an object', async () => {
    for (const [given, expected] of [
      ['', '{}'],
      [null, '{}'],
      ['""', '{}'],
      ['"{\\"a\\":1}"', '{"a":1}'],
      [{ a: 1 }, '{"a":1}'],
      ['{"a": 1}', '{"a": 1}'],
      ['no JSON', 'no JSON'],
    ] as const) {
      const calls = [{ id: 'c', type: 'function', function: { name: 'get', arguments: given } }];
      const result = { role: 'tool', tool_call_id: 'c', content: 'done' };
      const messages = [...hello, { role: 'assistant', content: null, tool_calls: calls }, result];
      const { body } = await asked('General_Chat', { messages });
      const [, turn] = body.messages as { tool_calls: { function: Json }[] }[];
      expect(turn?.tool_calls[0]?.function.arguments, JSON.stringify(given)).to.equal(expected);
    }
  });

  it('has its pictures labelled by their content', async () => {
    for (const [url, type] of [
      [`data:image/jpg;base64,${jpeg}`, 'image/jpeg'],
      [`data:image/png;base64,${jpeg}`, 'image/jpeg'],
      [`data:image/jpeg;base64,${png}`, 'image/png'],
      [`DATA:IMAGE/PNG;BASE64,${png}`, 'image/png'],
      [`data:image/png;charset=utf-8;base64,${gif}`, 'image/gif'],
      [`data:image/png;base64,${webp}`, 'image/webp'],
      ['data:image/JPG;base64,aGk=', 'image/jpeg'],
      ['data:image/x-png;base64,aGk=', 'image/png'],
      ['data:image/tiff;base64,aGk=', 'image/tiff'],
      [`data:application/octet-stream;base64,${png}`, 'image/png'],
      [`data:;base64,${jpeg}`, 'image/jpeg'],
      [`data:image/*;base64,${gif}`, 'image/gif'],
      [` data:image/png;charset="utf-8";base64,${png}`, 'image/png'],
    ] as const) {
      const content = [{ type: 'image_url', image_url: { url } }];
      const { body } = await asked('Assistant_Family', { messages: [{ role: 'user', content }] });
      const [message] = body.messages as { content: { source: Json }[] }[];
      expect(message?.content[0]?.source, url).to.deep.equal({
        type: 'base64',
        media_type: type,
        data: url.split(',')[1],
      });
      const server = await asked('General_Chat', { messages: [{ role: 'user', content }] });
      expect(JSON.stringify(server.body)).to.include(`data:${type};base64,${url.split(',')[1]}`);
    }
  });

  describe('with fields that OpenAI does not have', () => {
    const cache_control = { type: 'ephemeral' };
    const call = { id: 'c1', type: 'function', function: { name: 'get', arguments: '{}' } };
    const messages = [
      { role: 'system', content: [{ type: 'text', text: 'rules', cache_control }], weight: 1 },
      { role: 'user', content: [{ type: 'text', text: 'long', cache_control }], annotations: [], audio: null },
      {
        role: 'user',
        content: [{ type: 'image_url', image_url: { url: `data:image/png;base64,${png}`, format: 'x' } }],
      },
      { role: 'assistant', content: '', reasoning_content: 'I should call get', tool_calls: [{ ...call, note: 'n' }] },
      { role: 'tool', tool_call_id: 'c1', content: [{ type: 'text', text: 'done', cache_control }], name: 'get' },
      { role: 'assistant', content: '```json', prefix: true, reasoning_content: '' },
    ];
    const tools = [{ type: 'function', function: { name: 'get', parameters: {}, examples: [1] }, cache_control }];
    const response_format = { type: 'json_object', schema: { type: 'object' } };
    const names = [
      'messages[].weight',
      'messages[].content[].cache_control',
      'messages[].content[].image_url.format',
      'messages[].reasoning_content',
      'messages[].tool_calls[].note',
      'messages[].name',
      'messages[].prefix',
      'tools[].cache_control',
      'tools[].function.examples',
      'response_format.schema',
    ];

    it("sends them on to servers of OpenAI's dialect, but for empty ones", async () => {
      const { body, warnings } = await asked('General_Chat', { messages, tools, response_format });
      const [system, user, picture, called, result, last] = messages as Json[];
      const { annotations: _, audio: __, ...bare } = user ?? {};
      const { reasoning_content: ___, ...ended } = last ?? {};
      expect(body.messages).to.deep.equal([system, bare, picture, { ...called, content: null }, result, ended]);
      expect(body.tools).to.deep.equal(tools);
      expect(body.response_format).to.deep.equal(response_format);
      expect(warnings).to.deep.equal([]);
    });

    for (const [service, address] of [
      ['General_Chat', OPENAI],
      ['Fast_Inference', undefined],
      ['Cloud_Model_Hub', undefined],
      ['Search_Vendor_Models', undefined],
      ['Local_Runtime', undefined],
    ] as const) {
      it(`names each that ${address ?? service} does not get`, async () => {
        const { body, warnings } = await asked(service, { messages, tools, response_format }, address);
        // Marks of the cache ask for nothing that could be missed; reasoning that is only shown has no use there.
        const quiet = ['Cloud_Model_Hub', 'Search_Vendor_Models', 'Local_Runtime'].includes(service)
          ? /cache_control|reasoning_content/
          : /cache_control/;
        const left = names.filter((name) => !quiet.test(name));
        const warned = warnings.map((text) => text.split(' ')[0]);
        expect(warned).to.include.members(left);
        expect(warned.filter((name = '') => quiet.test(name))).to.deep.equal([]);
        expect(JSON.stringify(body)).not.to.match(/cache_control|reasoning|prefix|weight|note|examples|format":"x/);
      });
    }

    it('gives Ollama the reasoning by its own name', async () => {
      const { body } = await asked('Local_Runtime', { messages, tools });
      expect((body.messages as Json[])[3]).to.deep.include({ role: 'assistant', thinking: 'I should call get' });
      expect((body.messages as Json[])[5]).not.to.have.property('thinking');
    });

    it('sends marks of the cache to Anthropic, and names the others', async () => {
      const { body, warnings } = await asked('Assistant_Family', { messages: messages.slice(0, 5), tools });
      expect(body.system).to.deep.equal([{ type: 'text', text: 'rules', cache_control }]);
      const [user, , result] = body.messages as { content: Json[] }[];
      expect(user?.content[0]).to.deep.equal({ type: 'text', text: 'long', cache_control });
      expect(result?.content).to.deep.equal([
        { type: 'tool_result', tool_use_id: 'c1', content: [{ type: 'text', text: 'done', cache_control }] },
      ]);
      expect(body.tools).to.deep.equal([
        { name: 'get', input_schema: { type: 'object', properties: {} }, cache_control },
      ]);
      const left = names.filter((name) => !/cache_control|reasoning_content|prefix|schema/.test(name));
      expect(warnings.map((text) => text.split(' ')[0])).to.have.members(left);
    });

    it('puts the mark of a message on its last part at Anthropic', async () => {
      const { body, warnings } = await asked('Assistant_Family', {
        messages: [
          { role: 'system', content: 'rules', cache_control },
          { role: 'user', content: 'long', cache_control },
          { role: 'assistant', content: 'ok', cache_control },
        ],
      });
      const marked = (text: string) => [{ type: 'text', text, cache_control }];
      expect(body.system).to.deep.equal(marked('rules'));
      expect(body.messages).to.deep.equal([
        { role: 'user', content: marked('long') },
        { role: 'assistant', content: marked('ok') },
      ]);
      expect(warnings).to.deep.equal([]);
      const alone = await asked('Assistant_Family', {
        messages: [{ role: 'system', content: 'rules', cache_control }],
      });
      expect(alone.body.messages).to.deep.equal([{ role: 'user', content: marked('rules') }]);
    });
  });
});
