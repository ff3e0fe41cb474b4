import type { CloudKnowledgeBases, KnowledgeBaseVisit } from '../../ports/cloud/cloudKnowledgeBases.ts';
import { isNotFound } from './errors.ts';
import { type AwsOptions, AwsSession } from './session.ts';

/** Few, since a passage can be long and one proves that retrieval works. */
const PASSAGES = 3;

export function awsKnowledgeBases(options: AwsOptions): CloudKnowledgeBases {
  return {
    visit: async (access, deadline) => visit(new AwsSession(options, access, deadline)),
  };
}

function visit(session: AwsSession): KnowledgeBaseVisit {
  return {
    assumeRole: () => session.assumeRole(),
    async describe(knowledgeBaseId) {
      const answer = await unlessMissing(
        session.send('bedrock_agent', async (client, options) => {
          const { GetKnowledgeBaseCommand } = await import('@aws-sdk/client-bedrock-agent');
          return client.send(new GetKnowledgeBaseCommand({ knowledgeBaseId }), options);
        }),
      );
      const { name, status } = answer?.knowledgeBase ?? {};
      return answer && { name, status: (status ?? 'UNKNOWN').toUpperCase() };
    },
    async retrieve(knowledgeBaseId, text) {
      const answer = await unlessMissing(
        session.send('bedrock_agent_runtime', async (client, options) => {
          const { RetrieveCommand } = await import('@aws-sdk/client-bedrock-agent-runtime');
          const input = {
            knowledgeBaseId,
            retrievalQuery: { text },
            retrievalConfiguration: { vectorSearchConfiguration: { numberOfResults: PASSAGES } },
          };
          return client.send(new RetrieveCommand(input), options);
        }),
      );
      return answer && (answer.retrievalResults ?? []).length;
    },
    close: () => session.close(),
  };
}

async function unlessMissing<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
