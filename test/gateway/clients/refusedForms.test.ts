import { expect } from 'chai';
import type { Json } from '../../../src/contract/basics.ts';
import type { MemoryApp } from '../../support/memory/app.ts';
import { ask, completionOf, gatewayApp, sent } from '../gatewayApp.ts';
import { configureService } from './services.ts';

describe('a chat that is refused in its first form', () => {
  let app: MemoryApp;
  beforeEach(async () => {
    app = await gatewayApp();
  });

  const schema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] };
  const response_format = { type: 'json_schema', json_schema: { name: 'x', schema } };
  const refusal = (message: string, code = 'invalid_request_error') => ({
    status: 400,
    json: { error: { message, type: 'invalid_request_error', code } },
  });
  const answerTool = {
    choices: [
      {
        message: {
          content: null,
          tool_calls: [{ id: 'a', type: 'function', function: { name: 'structured_answer', arguments: '{"n":1}' } }],
        },
        finish_reason: 'tool_calls',
      },
    ],
  };

  for (const [service, message] of [
    ['General_Chat', 'This response_format type is unavailable now'],
    ['General_Chat', "'response_format.type' must be 'json_object' or 'text'"],
    ['General_Chat', "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model."],
    ['General_Chat', 'Structured outputs are not supported by this server'],
    ['Fast_Inference', 'This model does not support response format `json_schema`. See supported models at x'],
  ] as const) {
    it(`is answered by a forced tool where ${service} says: ${message}`, async () => {
      const { reference, bodies } = await configureService(app, service);
      app.llm.answer = (call) => {
        bodies.push(JSON.parse(call.body ?? '{}'));
        return bodies.length === 1 ? refusal(message) : { json: answerTool };
      };
      const { status, json } = await ask(app, { model: reference, response_format });
      expect([status, json.choices?.[0].message.content, json.choices?.[0].finish_reason]).to.deep.equal([
        200,
        '{"n":1}',
        'stop',
      ]);
      expect(json.ml.attempts).to.equal(2);
      expect(bodies[1]).not.to.have.property('response_format');
      expect(bodies[1]?.tool_choice).to.deep.equal({ type: 'function', function: { name: 'structured_answer' } });
    });
  }

  it('stays refused where the schema or the answer is the reason', async () => {
    for (const reply of [
      refusal("Invalid schema for response_format 'x': 'additionalProperties' is required"),
      refusal('Generated JSON does not match the expected schema: jsonschema: n', 'json_validate_failed'),
      refusal('The prompt is odd'),
    ]) {
      app.llm.calls.length = 0;
      app.llm.answer = () => reply;
      expect((await ask(app, { response_format })).status).to.be.at.least(400);
      expect(app.llm.calls).to.have.length(1);
    }
  });

  it('drops the temperature of the configuration together with the old name of the token limit', async () => {
    const strict = ({ max_tokens, temperature }: Json) => {
      if (max_tokens !== undefined)
        return refusal(
          "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
          'unsupported_parameter',
        );
      return temperature === undefined
        ? { json: completionOf('ok') }
        : refusal("Unsupported value: 'temperature' does not support 0.25 with this model.", 'unsupported_value');
    };
    app.llm.answer = (call) => strict(JSON.parse(call.body ?? '{}'));
    expect((await ask(app, { max_tokens: 50 })).json.ml?.attempts).to.equal(2);
    expect(sent(app)[1]).to.include({ max_completion_tokens: 50 }).and.not.have.any.keys('temperature', 'max_tokens');
    // The other order of the checks.
    app.llm.answer = (call) => {
      const { temperature, ...rest } = JSON.parse(call.body ?? '{}');
      return temperature === undefined ? strict(rest) : strict({ temperature });
    };
    expect((await ask(app, { max_tokens: 50 })).json.ml?.attempts).to.equal(2);
    // What the caller sent stays, and is refused in the words about it.
    const own = await ask(app, { max_tokens: 50, temperature: 0.5 });
    expect([own.status, own.json.error_code]).to.deep.equal([400, 'bad_request']);
  });

  it('keeps the temperature where an older server knows the old name alone', async () => {
    app.llm.answer = (call) =>
      JSON.parse(call.body ?? '{}').max_completion_tokens === undefined
        ? { json: completionOf('ok') }
        : refusal('Unrecognized request argument supplied: max_completion_tokens');
    expect((await ask(app, {})).status).to.equal(200);
    expect(sent(app)[1]).to.include({ max_tokens: 100, temperature: 0.25 });
  });

  it('is not sent in another form after it was repeated', async () => {
    app.llm.answer = () =>
      app.llm.calls.length === 1 ? { status: 503, json: {} } : refusal('This response_format type is unavailable now');
    expect((await ask(app, { response_format })).status).to.equal(400);
    expect(app.llm.calls).to.have.length(2);
  });
});
