import { asList, asObject, asText, type Dialect } from '../../src/families/llm-providers/providers/dialect.ts';
import { clientOf } from '../../src/families/llm-providers/providers/httpClient.ts';
import { KEYED, type LlmProvider } from '../../src/families/llm-providers/providers/provider.ts';

const UNKNOWN = { input: { total: undefined, cached: undefined }, output: { total: undefined, reasoning: undefined } };

const acmeDialect: Dialect = {
  headers: ({ settings: { access_token } }): Record<string, string> =>
    access_token === undefined ? {} : { 'x-acme-key': access_token },
  chat: ({ settings: { region } }, model, { messages, maxTokens }) => {
    const question = asText(messages.at(-1)?.content);
    const body = { model, question, longest: maxTokens };
    return { requests: [{ method: 'POST', path: `/${region}/ask`, body }], unsupported: [], warnings: [] };
  },
  list: () => [{ method: 'GET', path: '/models' }],
  tryNext: () => false,
  readChat: ({ answer }) =>
    typeof answer === 'string'
      ? { message: { role: 'assistant', content: answer }, toolCalls: [], finishReason: 'stop', usage: UNKNOWN }
      : undefined,
  page: (body) => (Array.isArray(body.models) ? { ids: asList(body.models).map(asText) } : undefined),
  code: ({ body }) => (asObject(body.refusal).why === 'no such model' ? 'model_not_found' : undefined),
};

/** A provider that nobody has, with a dialect of its own: for the test of the recipe in CONTRIBUTING.md. */
export const acme: LlmProvider = {
  ...KEYED,
  displayName: 'Acme Models',
  defaultEndpoint: 'https://api.acme.example/v2',
  beyondBase: /\/ask$/,
  fields: { ...KEYED.fields, region: 'required' },
  requiredToStore: ['region'],
  addressFields: ['endpoint', 'region'],
  client: clientOf(async () => acmeDialect),
};
