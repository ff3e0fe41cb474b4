import { Fault } from '../../../contract/codes/faults.ts';
import { OutboundError } from '../../../contract/codes/outbound.ts';
import { stringifyExact } from '../../../contract/exactJson.ts';
import { type AwsKeys, awsAccess, awsAddresses, pairProblems } from '../../../domain/net/awsKeys.ts';
import { checkBody } from '../../../masking/checkedBody.ts';
import type { CloudAccess } from '../../../ports/cloud/cloudAccess.ts';
import type { KnowledgeBase, KnowledgeBaseVisit } from '../../../ports/cloud/cloudKnowledgeBases.ts';
import type { Target } from '../../../resources/target.ts';
import type { StoreKind, StoreOf } from './kind.ts';

type CloudKb = StoreOf<'CLOUD_KB'>;

const SECRET = 'details/cloud_access_key_token';
/** Few, since a passage can be long and one proves that retrieval works. */
const TESTED_PASSAGES = 3;

/** `CLOUD_KB`: Amazon Bedrock Knowledge Bases, which embeds the query itself. */
export const cloudKb: StoreKind<CloudKb> = {
  required: ['cloud_region', 'kb_id'],
  optional: ['cloud_access_key_id', 'cloud_access_key_token', 'role_arn'],
  addresses: (details) => awsAddresses(keysOf(details), { region: 'details.cloud_region', role: 'details.role_arn' }),
  problems: (details, secrets) =>
    pairProblems(details.cloud_access_key_id !== undefined, secrets.includes(SECRET), {
      id: 'details.cloud_access_key_id',
      secret: 'details.cloud_access_key_token',
    }),
  /** Assumes the role, reads the knowledge base and retrieves passages. */
  async test(target, { knowledgeBases }, query, deadline, run) {
    const { kb_id: id, cloud_region: region } = target.record.details;
    const access = accessOf(target);
    const visit = await knowledgeBases.visit(access, deadline);
    let base: KnowledgeBase | undefined;
    try {
      await run.step('assume_role', access.roleArn !== undefined, () => visit.assumeRole());
      await run.step('get_knowledge_base', true, async () => {
        base = await visit.describe(id);
        assertUsable(id, region, base);
      });
      await run.step('retrieve', query !== undefined, async () => {
        if (!(await visit.retrieve(id, { text: query ?? '', count: TESTED_PASSAGES }))) throw missing(id, region);
      });
    } finally {
      visit.close();
    }
    return {
      kb_id: id,
      region,
      knowledge_base_status: base?.status ?? null,
      ...(base?.name === undefined ? {} : { knowledge_base_name: base.name }),
    };
  },
  search(target, { knowledgeBases }) {
    const { kb_id: id, cloud_region: region } = target.record.details;
    const access = { ...accessOf(target), attempts: 1 };
    return async (outgoing, upstream) => {
      const { text, count, searchType, filter } = outgoing;
      const query = { text, count, searchType, filter };
      checkBody(outgoing, () => stringifyExact(query));
      const visit = await knowledgeBases.visit(access, upstream);
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

const keysOf = (details: CloudKb['details']): AwsKeys => ({
  region: details.cloud_region,
  accessKeyId: details.cloud_access_key_id,
  roleArn: details.role_arn,
});

const accessOf = ({ record: { details }, secrets, hidden }: Target<CloudKb>): CloudAccess =>
  awsAccess(keysOf(details), secrets[SECRET], hidden);

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

/** @throws Fault `kb_not_found`, `kb_not_active` */
function assertUsable(id: string, region: string, base: KnowledgeBase | undefined): void {
  if (!base) throw missing(id, region);
  if (base.status !== 'ACTIVE')
    throw new Fault('kb_not_active', `The knowledge base ${id} is ${base.status}, not ACTIVE`);
}

const missing = (id: string, region: string) =>
  new Fault('kb_not_found', `There is no knowledge base ${id} in ${region} for this account`);
