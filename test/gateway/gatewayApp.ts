import type { HttpCall } from '../../src/ports/llm/http.ts';
import { type Answer, type Json, MemoryApp } from '../support/memory/app.ts';

/** Text of the last message of a request to a provider of OpenAI's dialect. */
export const lastText = (call: HttpCall): string => JSON.parse(call.body ?? '{}').messages?.at(-1)?.content ?? '';

export const completionOf = (content: string, usage: Json = { prompt_tokens: 5, completion_tokens: 7 }) => ({
  choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
  usage,
});

/** An app with two configurations of OpenAI's dialect, `up/m1` and `other/m2`, and a user `asker` who may use them. */
export async function gatewayApp(): Promise<MemoryApp> {
  const app = new MemoryApp();
  const llm = ['edit_ai_commander_config', 'list_ai_commander_config'];
  app.user('llm', { capabilities: [...llm, 'use_ai_gateway'] });
  app.user('asker', { capabilities: ['list_ai_commander_config', 'use_ai_gateway'] });
  app.user('aliases only', { capabilities: ['use_ai_gateway'] });
  await configure(app, 'up', 'm1', { max_tokens: { value: 100 }, response_variability: { value: 0.25 } });
  await configure(app, 'other', 'm2');
  app.llm.calls.length = 0;
  app.llm.answer = (call) => ({ json: completionOf(`echo ${lastText(call)}`) });
  return app;
}

export async function configure(
  app: MemoryApp,
  connection_name: string,
  model: string,
  modelsettings: Json = {},
  more: Json = {},
): Promise<void> {
  const saved = await app.call('llm', 'POST', '/aicommander', {
    service: 'General_Chat',
    connection_name,
    model,
    servicesettings: {
      endpoint: { value: `https://${connection_name}.example/v1` },
      access_token: { value: `sk-canary-${connection_name}` },
    },
    modelsettings,
    ...more,
  });
  if (saved.status !== 200) throw new Error(JSON.stringify(saved.json));
}

export const ask = (app: MemoryApp, body: Json, user = 'asker'): Promise<Answer> =>
  app.call(user, 'POST', '/ai_gateway/v1/chat/completions', { model: 'up/m1', messages: hello, ...body });

export const hello = [{ role: 'user', content: 'hello' }];
/** Bodies that the provider got. */
export const sent = (app: MemoryApp): Json[] => app.llm.calls.map(({ body }) => JSON.parse(body ?? '{}'));
