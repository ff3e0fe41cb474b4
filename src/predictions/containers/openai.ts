import { isObject } from '../../contract/basics.ts';
import { objectIn } from './answers.ts';
import type { ContainerProtocol } from './protocol.ts';
import { shapeProblem } from './status.ts';

/** Servers of language models in OpenAI's dialect, such as vLLM, TGI and llama.cpp. */
export const openai: ContainerProtocol = {
  probe: async (read) => shapeProblem(await read('/v1/models'), (text) => servedModel(text) !== undefined),
  rows: { instead: (model) => `${model} serves a language model: ask it as the model container/${model} of a chat.` },
};

/** The first id of `GET /v1/models`. */
function servedModel(text: string): string | undefined {
  const { data } = objectIn(text);
  const [first] = Array.isArray(data) ? data : [];
  const id = isObject(first) ? first.id : undefined;
  return typeof id === 'string' && id !== '' ? id : undefined;
}
