import { OutboundError } from '../../../../contract/codes/outbound.ts';
import { type ApiMemory, type LlmClient, type LocalApi, testChat } from '../provider.ts';

/** A client that asks one API, and another one where the server lacks the paths of the first. */
export function eitherApi(clients: Readonly<Record<LocalApi, LlmClient>>, memory: ApiMemory | undefined): LlmClient {
  let api = memory?.api;

  async function ask<T>(isList: boolean, call: (client: LlmClient) => Promise<T>): Promise<T> {
    const [first, other]: LocalApi[] = api === 'openai' ? ['openai', 'ollama'] : ['ollama', 'openai'];
    const askAt = async (asked: LocalApi) => {
      const answer = await call(clients[asked]);
      if (api !== asked) await memory?.keep(asked);
      api = asked;
      return answer;
    };
    try {
      return await askAt(first as LocalApi);
    } catch (error) {
      if (!isMissing(error, isList)) throw error;
      return await askAt(other as LocalApi).catch((second: unknown) => {
        // A server with neither API is no server of models: OpenAI's failure says so, Ollama's that it has no such model.
        throw isMissing(second, isList) && other === 'ollama' ? error : second;
      });
    }
  }

  return {
    chat: (...asked) => ask(false, (client) => client.chat(...asked)),
    embed: (...asked) => ask(false, (client) => client.embed(...asked)),
    list: (...asked) => ask(true, (client) => client.list(...asked)),
    test: (...asked) => ask(false, (client) => testChat(client, ...asked)),
  };
}

/** Whether the server has no such path: a 404 that names a model is about that model, and a list is about none. */
const isMissing = (error: unknown, isList: boolean): error is OutboundError =>
  error instanceof OutboundError && error.httpStatus === 404 && (isList || !/model/i.test(error.message));
