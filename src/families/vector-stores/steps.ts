import { OutboundError } from '../../contract/codes/outbound.ts';
import { bounded } from '../../domain/async/deadline.ts';
import type { CloudAccess } from '../../ports/cloud/cloudAccess.ts';
import type { CloudKnowledgeBases, KnowledgeBase, KnowledgeBaseVisit } from '../../ports/cloud/cloudKnowledgeBases.ts';
import type { Deadline } from '../../ports/platform/clock.ts';

const DEADLINE_MS = 20_000;

export type StepName = 'assume_role' | 'get_knowledge_base' | 'retrieve';
export type StoreTestCode = OutboundError['code'] | 'kb_not_found' | 'kb_not_active';

export interface Step {
  step: StepName;
  status: 'success' | 'fail' | 'skipped';
  error_code?: string;
  ms: number;
}

export interface Failure {
  code: StoreTestCode;
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

/** AWS answered, but the knowledge base cannot be used. */
class Unfit extends Error {
  readonly code: 'kb_not_found' | 'kb_not_active';

  constructor(code: Unfit['code'], message: string) {
    super(message);
    this.code = code;
  }
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

function assertUsable(id: string, region: string, base: KnowledgeBase | undefined): void {
  if (!base) throw missing(id, region);
  if (base.status !== 'ACTIVE')
    throw new Unfit('kb_not_active', `The knowledge base ${id} is ${base.status}, not ACTIVE`);
}

async function retrieve(visit: KnowledgeBaseVisit, id: string, region: string, query: string): Promise<void> {
  if ((await visit.retrieve(id, query)) === undefined) throw missing(id, region);
}

const missing = (id: string, region: string) =>
  new Unfit('kb_not_found', `There is no knowledge base ${id} in ${region} for this account`);

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
    if (!(error instanceof OutboundError) && !(error instanceof Unfit)) throw error;
    found.failure = { code: error.code, message: error.message };
    found.steps.push({ step: name, status: 'fail', error_code: error.code, ms: ms() });
    found.authenticated ||= error instanceof Unfit;
    found.reachable ||= error instanceof Unfit || error.httpStatus !== undefined;
  }
}
