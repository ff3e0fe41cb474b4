import { clientOf } from './httpClient.ts';
import { listedFirst } from './listedFirst.ts';
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
  // Distinguishes a model that was never pulled from a wrong address.
  client: (target, deps) =>
    listedFirst(ollamaClient(target, deps), {
      isListed: (model, ids) => ids.some((id) => tagged(id) === tagged(model)),
      mayLack: false,
    }),
};
