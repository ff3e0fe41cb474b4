import { counted } from '../../../contract/basics.ts';
import { OutboundError } from '../../../contract/codes/outbound.ts';
import { type LlmClient, lacksList, type ModelList, PROBE } from './provider.ts';

interface Options {
  /** Whether a listed id stands for the configured model. Default: equality. */
  isListed?(model: string, ids: readonly string[]): boolean;
  /** Whether some servers have no list: then the model is called without it. */
  mayLack: boolean;
}

/** A client whose chat test checks the server's list of models before it calls the model. */
export function listedFirst(
  client: LlmClient,
  { isListed = (id, ids) => ids.includes(id), mayLack }: Options,
): LlmClient {
  return {
    ...client,
    async test(model, upstream) {
      const models = await client.list(upstream).catch((error: unknown): ModelList | undefined => {
        if (mayLack && lacksList(error)) return undefined;
        throw error;
      });
      if (models && !isListed(model, models.ids)) {
        const count = counted(models.ids.length, 'model');
        throw new OutboundError('model_not_found', `The server answered, but the model is not among its ${count}`, {
          httpStatus: models.status,
        });
      }
      return client.chat(model, PROBE, upstream);
    },
  };
}
