import { asList, asObject, asText, type Dialect } from '../../src/families/llm-providers/providers/dialect.ts';
import { clientOf } from '../../src/families/llm-providers/providers/httpClient.ts';
import { KEYED, type LlmProvider, PROBE } from '../../src/families/llm-providers/providers/provider.ts';

const acmeDialect: Dialect = {
  headers: ({ settings: { access_token } }): Record<string, string> =>
    access_token === undefined ? {} : { 'x-acme-key': access_token },
  chat: ({ settings: { region } }, model) => [
    { method: 'POST', path: `/${region}/ask`, body: { model, question: PROBE.prompt, longest: PROBE.maxTokens } },
  ],
  list: () => [{ method: 'GET', path: '/models' }],
  tryNext: () => false,
  said: (body) => asText(body.answer) || undefined,
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
  client: clientOf(acmeDialect),
};
