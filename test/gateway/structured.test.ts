import { expect } from 'chai';
import type { MemoryApp } from '../support/memory/app.ts';
import { ask, completionOf, gatewayApp, sent } from './gatewayApp.ts';

describe('structured output', () => {
  const response_format = {
    type: 'json_schema',
    json_schema: { name: 'x', schema: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] } },
  };
  let app: MemoryApp;
  beforeEach(async () => {
    app = await gatewayApp();
  });

  it('is checked, and asked for once more with the problems', async () => {
    const answers = ['{"n":"one"}', '{"n":1}'];
    app.llm.answer = () => ({ json: completionOf(answers[app.llm.calls.length - 1] ?? '') });
    const { json } = await ask(app, { response_format });
    expect(json.choices[0].message.content).to.equal('{"n":1}');
    expect(json.ml.attempts).to.equal(2);
    expect(json.usage).to.include({ prompt_tokens: 10, completion_tokens: 14 });
    const messages = sent(app)[1]?.messages as { role: string; content: string }[];
    expect(messages.at(-2)).to.deep.equal({ role: 'assistant', content: '{"n":"one"}' });
    expect(messages.at(-1)?.content).to.include('n must be a number');
  });

  it('is asked for again in words that name each property', async () => {
    const schema = { ...response_format.json_schema.schema, additionalProperties: false };
    const closed = { ...response_format, json_schema: { name: 'x', schema } };
    for (const [first, words] of [
      ['{"n":1,"colour":"red"}', 'colour is not allowed'],
      ['[1]', 'the answer must be an object'],
    ] as const) {
      app.llm.calls.length = 0;
      app.llm.answer = () => ({ json: completionOf(app.llm.calls.length === 1 ? first : '{"n":1}') });
      expect((await ask(app, { response_format: closed })).json.choices[0].message.content).to.equal('{"n":1}');
      const messages = sent(app)[1]?.messages as { content: string }[];
      const content = messages.at(-1)?.content;
      expect(content).to.include(words);
      expect(content).not.to.include('$body');
    }
  });

  it('counts the tokens of both answers, also those of the cache', async () => {
    const usage = (written: number | undefined, cached: number) => ({
      prompt_tokens: 30,
      prompt_tokens_details: { cached_tokens: cached, cache_write_tokens: written },
      completion_tokens: 9,
      completion_tokens_details: { reasoning_tokens: 4 },
    });
    app.llm.answer = () => ({
      json:
        app.llm.calls.length === 1 ? completionOf('no', usage(20, 0)) : completionOf('{"n":1}', usage(undefined, 20)),
    });
    expect((await ask(app, { response_format })).json.usage).to.deep.equal({
      prompt_tokens: 60,
      completion_tokens: 18,
      total_tokens: 78,
      prompt_tokens_details: { cached_tokens: 20, cache_write_tokens: 20 },
      completion_tokens_details: { reasoning_tokens: 8 },
    });
  });

  it('fails after the second wrong answer', async () => {
    app.llm.answer = () => ({ json: completionOf('not JSON') });
    const { status, json } = await ask(app, { response_format });
    expect([status, json.error_code, app.llm.calls.length]).to.deep.equal([502, 'invalid_structured_output', 2]);
  });

  it('is refused for a schema that cannot be compiled', async () => {
    for (const schema of [{ type: 'nonsense' }, { $ref: 'https://example.com/x.json' }]) {
      const { status, json } = await ask(app, {
        response_format: { type: 'json_schema', json_schema: { name: 'x', schema } },
      });
      expect([status, json.errors?.[0]?.field]).to.deep.equal([400, 'response_format.json_schema.schema']);
    }
    expect(app.llm.calls).to.have.length(0);
  });

  it('ends a pattern that runs forever, and answers what it cannot check', async () => {
    const schema = { type: 'object', properties: { s: { type: 'string', pattern: '^(a+)+$' } } };
    app.llm.answer = () => ({ json: completionOf(`{"s":"${'a'.repeat(40)}b"}`) });
    const format = { response_format: { type: 'json_schema', json_schema: { name: 'x', schema } } };
    const { status, json } = await ask(app, format);
    expect(status).to.equal(200);
    expect(json.ml.warnings).to.have.length(1);
    app.llm.answer = () => ({ json: completionOf('{"s":5}') });
    expect((await ask(app, format)).json.error_code).to.equal('invalid_structured_output');
  });

  it('is refused for a schema that is too large or too deep, in time', async () => {
    let deep: object = {};
    for (let level = 0; level < 2000; level += 1) deep = { not: deep };
    for (const schema of [{ type: 5, description: 'x'.repeat(1_000_000) }, { title: 'x'.repeat(300_000) }, deep]) {
      const { status, json } = await ask(app, {
        response_format: { type: 'json_schema', json_schema: { name: 'x', schema } },
      });
      // The levels of all bodies are judged before their schemas.
      const field = schema === deep ? 'response_format' : 'response_format.json_schema.schema';
      expect([status, json.errors?.[0]?.field]).to.deep.equal([400, field]);
    }
    expect(app.llm.calls).to.have.length(0);
  });
});
