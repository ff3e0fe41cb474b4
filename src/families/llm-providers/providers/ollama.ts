import { eitherApi } from './dialects/localApis.ts';
import { clientOf } from './httpClient.ts';
import { listedFirst } from './listedFirst.ts';
import { openAiClient } from './openai.ts';
import { KEYED, type LlmProvider } from './provider.ts';

/** A regular expression would backtrack on long runs of colons. */
const hasTag = (model: string) => model.lastIndexOf(':') > model.lastIndexOf('/');
const tagged = (model: string) => (hasTag(model) ? model : `${model}:latest`).toLowerCase();

const ollamaClient = clientOf(async () => (await import('./dialects/ollama.ts')).ollamaDialect);

export const ollama: LlmProvider = {
  ...KEYED,
  displayName: 'Local Runtime (Ollama)',
  defaultEndpoint: 'http://localhost:11434',
  beyondBase: /\/(?:api|v1)(?:\/.*|$)/s,
  fields: { ...KEYED.fields, access_token: 'optional' },
  // The list distinguishes a model that was never pulled from a wrong address.
  client(target, deps) {
    const { endpoint } = target.settings;
    const asOpenAi = { ...target, settings: { ...target.settings, endpoint: `${endpoint}/v1` } };
    const clients = {
      ollama: listedFirst(ollamaClient(target, deps), {
        isListed: (model, ids) => ids.some((id) => tagged(id) === tagged(model)),
        mayLack: false,
      }),
      openai: listedFirst(openAiClient(asOpenAi, deps), { mayLack: true }),
    };
    return eitherApi(clients, target.memory);
  },
};
