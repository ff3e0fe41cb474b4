import { OutboundError } from '../../../../contract/codes/outbound.ts';
import { parallel } from '../../../../domain/async/parallel.ts';
import type { CloudAccess } from '../../../../ports/cloud/cloudAccess.ts';
import type { CloudModels } from '../../../../ports/cloud/cloudModels.ts';
import { assertMasked } from '../../chat/assertMasked.ts';
import { fromConverse } from '../../chat/bedrock/answer.ts';
import {
  bedrockEmbedBatch,
  fromBedrockEmbed,
  toBedrockEmbed,
  unsupportedByEmbedding,
} from '../../chat/bedrock/embeddings.ts';
import { toConverse } from '../../chat/bedrock/request.ts';
import { embedWarnings } from '../../chat/support.ts';
import { ANTHROPIC_PARAMETER } from '../../chat/toolAliases.ts';
import { joinEmbeddings } from '../../chat/vectors.ts';
import { askChat } from '../askChat.ts';
import { formsOf } from '../dialect.ts';
import { assertSupported, assertTexts, type LlmClient } from '../provider.ts';

/** Calls at a time, for models that embed one text in a call. */
const FAN_OUT = 8;

export function bedrockClient(access: CloudAccess, cloud: CloudModels, secrets: readonly string[]): LlmClient {
  return {
    chat: (model, request, upstream) =>
      askChat(request, upstream, {
        secrets,
        continuesAnswers: true,
        carrier: 'bedrock',
        parameterName: ANTHROPIC_PARAMETER,
        forms: (named) => formsOf('', toConverse(model, named)),
        async send({ body = {} }) {
          const { httpStatus, output } = await cloud.converse(access, model, body, upstream);
          const answer = fromConverse(output);
          if (answer === undefined) throw unreadable(httpStatus, 'a message');
          return { status: httpStatus, answer };
        },
        // A model without a cache refuses marks with 403.
        mayFollow: ({ answers }, { httpStatus, message }) =>
          (httpStatus === 400 || httpStatus === 403) && answers?.(message) === true,
      }),
    async embed(model, request, upstream) {
      assertTexts(request);
      const warnings = assertSupported(
        {},
        { unsupported: unsupportedByEmbedding(model, request), warnings: embedWarnings(request) },
      );
      const batch = bedrockEmbedBatch(model);
      const slices = Array.from({ length: Math.ceil(request.inputs.length / batch) }, (_, index) =>
        request.inputs.slice(index * batch, (index + 1) * batch),
      );
      const answers = await parallel(slices, FAN_OUT, async (inputs) => {
        const body = toBedrockEmbed(model, { ...request, inputs });
        assertMasked(request, body);
        const { httpStatus, output, inputTokens } = await upstream.request(() =>
          cloud.invoke(access, model, body, upstream),
        );
        const answer = fromBedrockEmbed(output, inputTokens);
        if (answer?.vectors.length !== inputs.length) throw unreadable(httpStatus, 'the embeddings of all texts');
        return answer;
      });
      return { status: 200, warnings, ...joinEmbeddings(answers) };
    },
    async list(deadline) {
      return { status: 200, ids: await cloud.list(access, deadline) };
    },
  };
}

const unreadable = (httpStatus: number, what: string) =>
  new OutboundError('upstream_error', `Amazon Bedrock answered ${httpStatus} without ${what}`, { httpStatus });
