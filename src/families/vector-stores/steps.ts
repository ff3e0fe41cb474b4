import type { FaultCode } from '../../contract/codes/codes.ts';
import { Fault } from '../../contract/codes/faults.ts';
import { OutboundError } from '../../contract/codes/outbound.ts';
import { bounded } from '../../domain/async/deadline.ts';
import type { CloudAccess } from '../../ports/cloud/cloudAccess.ts';
import type { CloudKnowledgeBases, KnowledgeBase, KnowledgeBaseVisit } from '../../ports/cloud/cloudKnowledgeBases.ts';
import type { Deadline } from '../../ports/platform/clock.ts';

const DEADLINE_MS = 20_000;
/** Few, since a passage can be long and one proves that retrieval works. */
const PASSAGES = 3;

export type StepName = 'assume_role' | 'get_knowledge_base' | 'retrieve';

export interface Step {
  step: StepName;
  status: 'success' | 'fail' | 'skipped';
  error_code?: string;
  ms: number;
}

export interface Failure {
  code: FaultCode;
  message: string;
}

export interface Findings {
  steps: Step[];
  knowledgeBase: KnowledgeBase | undefined;
  failure: Failure | undefined;
  reachable: boolean;
  authenticated: boolean;
  elapsedMs: number;
}

/**
 * Assumes the role, reads the knowledge base and retrieves passages, until a step fails.
 * @param outer an earlier deadline
 */
export async function visitKnowledgeBase(
  cloud: CloudKnowledgeBases,
  access: CloudAccess,
  id: string,
  query: string | undefined,
  outer?: Deadline,
): Promise<Findings> {
  const started = performance.now();
  using deadline = bounded(DEADLINE_MS, outer);
  const visit = await cloud.visit(access, deadline);
  const found: Findings = {
    steps: [],
    knowledgeBase: undefined,
    failure: undefined,
    reachable: false,
    authenticated: false,
    elapsedMs: 0,
  };
  try {
    await step(found, 'assume_role', access.roleArn !== undefined, () => visit.assumeRole());
    await step(found, 'get_knowledge_base', true, async () => {
      found.knowledgeBase = await visit.describe(id);
      assertUsable(id, access.region, found.knowledgeBase);
    });
    await step(found, 'retrieve', query !== undefined, () => retrieve(visit, id, access.region, query ?? ''));
  } finally {
    visit.close();
  }
  return { ...found, elapsedMs: performance.now() - started };
}

/** @throws Fault `kb_not_found`, `kb_not_active` */
export function assertUsable(id: string, region: string, base: KnowledgeBase | undefined): void {
  if (!base) throw missing(id, region);
  if (base.status !== 'ACTIVE')
    throw new Fault('kb_not_active', `The knowledge base ${id} is ${base.status}, not ACTIVE`);
}

async function retrieve(visit: KnowledgeBaseVisit, id: string, region: string, query: string): Promise<void> {
  if ((await visit.retrieve(id, { text: query, count: PASSAGES })) === undefined) throw missing(id, region);
}

export const missing = (id: string, region: string) =>
  new Fault('kb_not_found', `There is no knowledge base ${id} in ${region} for this account`);

/** AWS answered, but the knowledge base cannot be used. */
const isUnfit = (error: unknown): error is Fault => error instanceof Fault;

async function step(found: Findings, name: StepName, isDue: boolean, work: () => Promise<void>): Promise<void> {
  if (!isDue || found.failure) {
    found.steps.push({ step: name, status: 'skipped', ms: 0 });
    return;
  }
  const started = performance.now();
  const ms = () => Math.round(performance.now() - started);
  try {
    await work();
    found.steps.push({ step: name, status: 'success', ms: ms() });
    found.reachable = true;
    found.authenticated = true;
  } catch (error) {
    if (!(error instanceof OutboundError) && !isUnfit(error)) throw error;
    found.failure = { code: error.code, message: error.message };
    found.steps.push({ step: name, status: 'fail', error_code: error.code, ms: ms() });
    found.authenticated ||= isUnfit(error);
    found.reachable ||= isUnfit(error) || error.httpStatus !== undefined;
  }
}
