import { OutboundError } from '../../../contract/codes/outbound.ts';
import { awsAccess } from '../../../domain/net/awsKeys.ts';
import type { KnowledgeBaseVisit } from '../../../ports/cloud/cloudKnowledgeBases.ts';
import { keysOf, SECRET } from '../records.ts';
import { assertUsable, missing } from '../steps.ts';
import type { StoreKind } from './kind.ts';

/** `CLOUD_KB`: Amazon Bedrock Knowledge Bases, which embeds the query itself. */
export const cloudKb: StoreKind = {
  search({ record: { details }, secrets, hidden }, { knowledgeBases }) {
    const { kb_id: id, cloud_region: region } = details;
    const access = { ...awsAccess(keysOf(details), secrets[SECRET], hidden), attempts: 1 };
    return async (query, deadline) => {
      const visit = await knowledgeBases.visit(access, deadline);
      try {
        const passages = await visit.retrieve(id, query).catch((error: unknown) => explain(error, visit, id, region));
        if (!passages) throw missing(id, region);
        return passages;
      } finally {
        visit.close();
      }
    };
  },
};

/** Reads the state of a knowledge base that refuses: AWS has no error of its own for one that is not ready. */
async function explain(error: unknown, visit: KnowledgeBaseVisit, id: string, region: string): Promise<never> {
  if (error instanceof OutboundError && (error.code === 'bad_request' || error.httpStatus === 409)) {
    const base = await visit.describe(id).catch(() => {
      throw error;
    });
    assertUsable(id, region, base);
  }
  throw error;
}
