import { expect } from 'chai';
import { ask, gatewayApp } from './gatewayApp.ts';

describe('bounds of a chat', () => {
  const nested = (levels: number): object => JSON.parse(`${'{"not":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`);
  const tool = (parameters: object) => ({ tools: [{ type: 'function', function: { name: 'a', parameters } }] });

  it('are 100 levels of any field, and 256 KB of a schema', async () => {
    const app = await gatewayApp();
    for (const [field, body] of [
      ['mirostat', { mirostat: nested(101) }],
      ['mirostat', { mirostat: nested(3000) }],
      ['tools.0.function.parameters', tool(nested(101))],
      ['tools.0.function.parameters', tool({ description: 'x'.repeat(262_144) })],
      [
        'response_format',
        { response_format: { type: 'json_schema', json_schema: { name: 'a', schema: nested(101) } } },
      ],
    ] as const) {
      const { status, json } = await ask(app, body);
      expect([status, json.error_code, json.errors?.[0]?.field], field).to.deep.equal([
        400,
        'validation_failed',
        field,
      ]);
    }
    expect(app.llm.calls).to.have.length(0);
    expect((await ask(app, { mirostat: nested(100), ...tool(nested(100)) })).status).to.equal(200);
  });
});
