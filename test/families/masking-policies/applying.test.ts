import { expect } from 'chai';
import { maskingTools } from '../../../src/adapters/masking/tools.ts';
import { Fault } from '../../../src/contract/codes/faults.ts';
import type { MaskedOperation } from '../../../src/contract/families/masking.ts';
import { MaskingPolicies, type PolicyUse } from '../../../src/families/masking-policies/applying.ts';
import { type FindOptions, UnreadableDoc } from '../../../src/ports/stores/recordStore.ts';
import { faultOf } from '../../support/fault.ts';

const USE: PolicyUse = {
  ...{ operation: 'chat', service: 'General_Chat', connection_name: 'Team', alias: undefined, roles: ['user'] },
};

const policy = (more: object = {}) => ({
  ...{ _key: 'p', name: 'P', applies_to: {}, kinds: { email: 'mask' }, fields: [], patterns: [], never: [] },
  ...{ regions: [], images: 'allow', is_enabled: true },
  ...more,
});

describe('the masking policies that apply to a use', () => {
  let now: number;
  let stored: object[];
  let failure: Error | undefined;
  let reads: FindOptions[];
  let loaded: number;
  let policies: MaskingPolicies;
  const records = {
    async find(_collection: string, options: FindOptions = {}) {
      reads.push(options);
      if (failure) throw failure;
      return [...stored] as never[];
    },
  };
  const tools = async () => {
    loaded += 1;
    return maskingTools();
  };
  const applying = (more: Partial<PolicyUse> = {}) => policies.applying(records, { ...USE, ...more });
  const applies = async (applies_to: object, more: Partial<PolicyUse> = {}) => {
    stored = [policy({ applies_to })];
    now += 1000;
    return (await applying(more)).policies.length === 1;
  };

  beforeEach(() => {
    now = 0;
    stored = [];
    failure = undefined;
    reads = [];
    loaded = 0;
    policies = new MaskingPolicies(tools, () => now);
  });

  it('are those whose keys all fit, each by one of its values', async () => {
    expect(await applies({})).to.equal(true);
    expect(await applies({ services: ['Fast_Inference', 'General_Chat'] })).to.equal(true);
    expect(await applies({ services: ['Fast_Inference'] })).to.equal(false);
    expect(await applies({ connections: ['other', 'TEAM'] })).to.equal(true);
    expect(await applies({ connections: ['other'] })).to.equal(false);
    expect(await applies({ aliases: ['fast'] })).to.equal(false);
    expect(await applies({ aliases: ['fast'] }, { alias: 'Fast' })).to.equal(true);
    expect(await applies({ roles: ['admin', 'User'] })).to.equal(true);
    expect(await applies({ roles: ['admin'] })).to.equal(false);
    expect(await applies({ services: ['General_Chat'], roles: ['admin'] })).to.equal(false);
    expect(await applies({ services: ['General_Chat'], connections: ['team'], roles: ['user'] })).to.equal(true);
  });

  it('hold for chats and agents by default, and for other operations where they name them', async () => {
    const all: MaskedOperation[] = ['chat', 'embeddings', 'execute_tool', 'retrieve', 'predict', 'invoke_agent'];
    const holding = async (applies_to: object) => {
      const answers: boolean[] = [];
      for (const operation of all) answers.push(await applies(applies_to, { operation }));
      return all.filter((_, index) => answers[index]);
    };
    expect(await holding({})).to.deep.equal(['chat', 'invoke_agent']);
    expect(await holding({ operations: all })).to.deep.equal(all);
    expect(await holding({ operations: ['retrieve'] })).to.deep.equal(['retrieve']);
  });

  it('mask secrets alone in embeddings, unless they name them', async () => {
    const rules = {
      ...{ kinds: { key: 'refuse', email: 'mask', emp: 'mask' }, fields: ['user'], never: ['a'], images: 'refuse' },
      patterns: [{ label: 'emp', pattern: 'EMP' }],
    };
    stored = [policy(rules), policy({ applies_to: { operations: ['embeddings'] }, kinds: { email: 'mask' } })];
    const {
      policies: [secrets, named],
      refusesImages,
    } = await applying({ operation: 'embeddings' });
    expect(secrets).to.deep.equal({ kinds: { key: 'refuse' }, fields: [], patterns: [], never: ['a'], regions: [] });
    expect(named?.kinds).to.deep.equal({ email: 'mask' });
    expect(refusesImages).to.equal(false);
    const whole = await applying();
    expect([whole.policies[0]?.fields, whole.policies[0]?.patterns?.[0]?.label]).to.deep.equal([['user'], 'emp']);
    expect(whole.refusesImages).to.equal(true);
  });

  it('refuse images also where they mask nothing', async () => {
    stored = [policy({ kinds: {}, images: 'refuse' })];
    expect(await applying()).to.deep.equal({ policies: [], refusesImages: true });
    expect((await applying({ operation: 'predict' })).refusesImages).to.equal(false);
  });

  it('leave out those that are switched off', async () => {
    stored = [policy({ is_enabled: false, images: 'refuse' })];
    expect(await applying()).to.deep.equal({ policies: [], refusesImages: false });
  });

  it('come with their patterns compiled', async () => {
    stored = [policy({ patterns: [{ label: 'emp', pattern: 'EMP[0-9]', keyword: 'employee' }] })];
    const [own] = (await applying()).policies[0]?.patterns ?? [];
    expect([own?.label, own?.keyword]).to.deep.equal(['emp', 'employee']);
    expect([...(own?.matcher('an EMP1') ?? [])]).to.deep.equal([{ start: 3, end: 7 }]);
  });

  it('are read once a second, and by all who ask at once; nothing else is loaded where there are none', async () => {
    await Promise.all([applying(), applying(), applying({ operation: 'predict' })]);
    now = 999;
    await applying();
    expect([reads.length, loaded]).to.deep.equal([1, 0]);
    expect(reads[0]?.fields).to.include.members(['kinds', 'applies_to']).and.not.include('description');
    now = 1000;
    stored = [policy()];
    expect((await applying()).policies).to.have.length(1);
    expect([reads.length, loaded]).to.deep.equal([2, 1]);
  });

  it('fail where the store does, and are asked for again by the next use', async () => {
    failure = new Fault('store_unavailable', 'The store is not available');
    const [first, second] = await Promise.all([faultOf(applying()), faultOf(applying())]);
    expect([first.code, second.code, reads.length]).to.deep.equal(['store_unavailable', 'store_unavailable', 1]);
    failure = undefined;
    stored = [policy()];
    expect((await applying()).policies).to.have.length(1);
  });

  it('do not hold on when the store fails later', async () => {
    await applying();
    failure = new Fault('store_unavailable', 'The store is not available');
    now = 1000;
    expect((await faultOf(applying())).code).to.equal('store_unavailable');
  });

  it('fail closed where one cannot be read, or has a pattern that is none any more', async () => {
    stored = [policy(), new UnreadableDoc('broken')];
    const unread = await faultOf(applying());
    expect([unread.code, unread.extra.should_retry]).to.deep.equal(['masking_failed', false]);
    stored = [policy(), policy({ name: 'Own', patterns: [{ label: 'emp', pattern: '(?=EMP)' }] })];
    const { code, message } = await faultOf(applying());
    expect([code, message]).to.deep.equal([
      'masking_failed',
      'The masking policy "Own" has a pattern that cannot be read',
    ]);
    stored = [policy(), policy({ applies_to: { roles: ['admin'] }, patterns: [{ label: 'emp', pattern: '(?=EMP)' }] })];
    now += 1000;
    expect((await applying()).policies, 'of others it is not asked').to.have.length(1);
  });
});
