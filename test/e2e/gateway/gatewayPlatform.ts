import { expectStatus, type Reply, startPlatform, type TestPlatform } from '../../support/e2e/platform.ts';

export const MOUNT = '/servicesNS/nobody/ml_extension/ai_gateway';

/** A platform on which `anna` and `bob` may use every configured model. */
export async function gatewayPlatform(env: Record<string, string> = {}): Promise<TestPlatform> {
  const platform = await startPlatform({ env });
  await platform.createUser('anna', ['ml_admin']);
  await platform.createUser('bob', ['ml_admin']);
  return platform;
}

/** Saves a configuration of OpenAI's dialect that is called `<name>/m`. */
export async function configure(
  platform: TestPlatform,
  name: string,
  url: string,
  { key = 'sk-of-a-test', model = 'm', ...more }: { key?: string; model?: string; request_timeout?: object } = {},
): Promise<void> {
  const servicesettings = { endpoint: { value: `${url}/v1` }, access_token: { value: key }, ...more };
  const body = { service: 'General_Chat', connection_name: name, model, servicesettings };
  expectStatus(await platform.ml('anna', 'POST', '/aicommander', body), 200, name);
}

export const chat = (platform: TestPlatform, user: string, model: string, more: object = {}): Promise<Reply> =>
  platform.call(user, 'POST', `${MOUNT}/v1/chat/completions`, {
    model,
    messages: [{ role: 'user', content: 'hello' }],
    ...more,
  });

/** OpenAI's answer that says `content`. */
export const completionOf = (content: string) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 7, completion_tokens: 2, total_tokens: 9 },
});

/** OpenAI's answer that calls tools. @param calls name and arguments of each */
export function toolCallsOf(calls: readonly [name: string | undefined, args: object][]) {
  const tool_calls = calls.map(([name, args], at) => ({
    id: `call_${at}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(args) },
  }));
  const message = { role: 'assistant', content: null, tool_calls };
  return { ...completionOf(''), choices: [{ index: 0, message, finish_reason: 'tool_calls' }] };
}
