import type { RetrievalFilter } from '@aws-sdk/client-bedrock-agent-runtime';
import type { CloudKnowledgeBases, KnowledgeBaseVisit } from '../../ports/cloud/cloudKnowledgeBases.ts';
import { isNotFound } from './errors.ts';
import { toPassages } from './passages.ts';
import { type AwsOptions, AwsSession } from './session.ts';

const SEARCH_TYPES = { hybrid: 'HYBRID', semantic: 'SEMANTIC' } as const;

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
    async retrieve(knowledgeBaseId, { text, count, searchType, filter }) {
      const answer = await unlessMissing(
        session.send('bedrock_agent_runtime', async (client, options) => {
          const { RetrieveCommand } = await import('@aws-sdk/client-bedrock-agent-runtime');
          const input = {
            knowledgeBaseId,
            retrievalQuery: { text },
            retrievalConfiguration: {
              vectorSearchConfiguration: {
                numberOfResults: count,
                ...(searchType ? { overrideSearchType: SEARCH_TYPES[searchType] } : {}),
                ...(filter ? { filter: filter as unknown as RetrievalFilter } : {}),
              },
            },
          };
          return client.send(new RetrieveCommand(input), options);
        }),
      );
      return answer && toPassages(answer.retrievalResults);
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
