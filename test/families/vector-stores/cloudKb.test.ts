import { expect } from 'chai';
import { OutboundError } from '../../../src/contract/codes/outbound.ts';
import { UnsealedRecord } from '../../../src/domain/records/sealedRecord.ts';
import type { StoreStored } from '../../../src/families/vector-stores/definition.ts';
import { visit as visitStore } from '../../../src/families/vector-stores/testing.ts';
import type { CloudKnowledgeBases, KnowledgeBase } from '../../../src/ports/cloud/cloudKnowledgeBases.ts';
import type { Passage } from '../../../src/ports/cloud/passages.ts';
import { Target } from '../../../src/resources/target.ts';
import { storeDependencies } from '../../support/storeDependencies.ts';

/** A cloud that answers as told, and counts. */
class FakeCloud implements CloudKnowledgeBases {
  role: () => Promise<void> = async () => {};
  base: () => Promise<KnowledgeBase | undefined> = async () => ({ name: 'docs', status: 'ACTIVE' });
  passages: () => Promise<Passage[] | undefined> = async () => [];
  readonly asked: string[] = [];
  open = 0;

  visit: CloudKnowledgeBases['visit'] = async () => {
    this.open += 1;
    const asked = <T>(what: string, answer: () => Promise<T>) => {
      this.asked.push(what);
      return answer();
    };
    return {
      assumeRole: () => asked('role', this.role),
      describe: () => asked('base', this.base),
      retrieve: () => asked('passages', this.passages),
      close: () => {
        this.open -= 1;
      },
    };
  };
}

const fails = (code: OutboundError['code'], httpStatus?: number) => async () => {
  throw new OutboundError(code, `it was ${code}`, { httpStatus });
};
const REGION = { cloud_region: 'eu-central-1', kb_id: 'KB12345678' };
const ROLE = { ...REGION, role_arn: 'arn' };

describe('steps of a knowledge base test', () => {
  let cloud: FakeCloud;
  beforeEach(() => {
    cloud = new FakeCloud();
  });
  afterEach(() => expect(cloud.open, 'visits left open').to.equal(0));

  const visit = (details: StoreStored['details'] = ROLE, query: string | undefined = 'q') => {
    const record = { name: 'docs', type: 'CLOUD_KB' as const, description: '', details };
    const target = Target.draft<StoreStored>(new UnsealedRecord(record, {}), []);
    return visitStore(storeDependencies({ knowledgeBases: cloud }), target, { query });
  };
  const outcome = async (work: ReturnType<typeof visit>) => {
    const { steps, failure, reachable, authenticated } = (await work).run;
    return [steps.map((step) => step.error_code ?? step.status), failure?.code, reachable, authenticated];
  };

  it('stops at a failure and keeps earlier results', async () => {
    cloud.role = fails('permission_denied', 403);
    expect(await outcome(visit())).to.deep.equal([
      ['permission_denied', 'skipped', 'skipped'],
      'permission_denied',
      true,
      false,
    ]);
    cloud.role = async () => {};
    cloud.base = fails('timeout');
    expect(await outcome(visit())).to.deep.equal([['success', 'timeout', 'skipped'], 'timeout', true, true]);
    cloud.base = async () => ({ status: 'ACTIVE' });
    cloud.passages = fails('rate_limited', 429);
    const found = await visit();
    expect(found.run.steps.map(({ status }) => status)).to.deep.equal(['success', 'success', 'fail']);
    expect(found.facts.knowledge_base_status).to.equal('ACTIVE');
  });

  it('an unreachable cloud is neither reachable nor authenticated', async () => {
    cloud.role = fails('dns_failed');
    expect(await outcome(visit())).to.deep.equal([['dns_failed', 'skipped', 'skipped'], 'dns_failed', false, false]);
  });

  it('passes a bug on', async () => {
    cloud.base = async () => {
      throw new TypeError('a bug');
    };
    let thrown: unknown;
    await visit().catch((error: unknown) => {
      thrown = error;
    });
    expect(thrown).to.be.instanceOf(TypeError);
  });
});
