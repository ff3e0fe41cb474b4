import { expect } from 'chai';
import { applicableLimits } from '../../../src/metering/limits/matching.ts';
import type { UsageLimit } from '../../../src/metering/limits/usageLimit.ts';
import { windowAt } from '../../../src/metering/usage/windows.ts';
import { limit, TARGET } from './limitSite.ts';

const ANNA = { user: 'anna', roles: ['user', 'power'] };
const CHAT = { operation: 'chat', target: TARGET, alias: undefined } as const;

const held = (limits: UsageLimit[], who = ANNA, use: Parameters<typeof applicableLimits>[2] = CHAT) =>
  Object.fromEntries(applicableLimits(limits, who, use).map(({ limit: { name }, most }) => [name, most]));
const one = (applies_to: UsageLimit['applies_to'], use: Parameters<typeof applicableLimits>[2] = CHAT, who = ANNA) =>
  'x' in held([limit('x', { requests: 1, applies_to })], who, use);

describe('which usage limits hold a use', () => {
  it('the keys of applies_to are ANDed, their values ORed', () => {
    expect(one({})).to.equal(true);
    expect(one({ users: ['bert', 'Anna'] })).to.equal(true);
    expect(one({ users: ['bert'] })).to.equal(false);
    expect(one({ roles: ['admin', 'Power'] })).to.equal(true);
    expect(one({ roles: ['admin'] })).to.equal(false);
    expect(one({ operations: ['embeddings', 'chat'] })).to.equal(true);
    expect(one({ operations: ['embeddings'] })).to.equal(false);
    expect(one({ users: ['anna'], roles: ['admin'] })).to.equal(false);
    expect(one({ users: ['anna'], operations: ['chat'], models: ['up/m1'] })).to.equal(true);
  });

  it('a model is that configuration however it is reached', () => {
    for (const reference of ['*', 'm1', 'UP/m1', 'General_Chat/up/m1', 'general_chat/Up/m1']) {
      expect(one({ models: [reference] }), reference).to.equal(true);
      expect(one({ models: ['other/x', reference] }, { ...CHAT, alias: 'fast' }), reference).to.equal(true);
    }
    for (const reference of ['up', 'up/M1', 'other/m1', 'up/m1/', 'OpenAI/up/m1']) {
      expect(one({ models: [reference] }), reference).to.equal(false);
    }
  });

  it('an alias is the calls by this alias', () => {
    expect(one({ models: ['Fast'] }, { ...CHAT, alias: 'fast' })).to.equal(true);
    expect(one({ models: ['fast'] })).to.equal(false);
    expect(one({ models: ['slow'] }, { ...CHAT, alias: 'fast' })).to.equal(false);
  });

  it('limits that are switched off hold nothing', () => {
    expect(held([limit('x', { requests: 0, is_enabled: false })])).to.deep.equal({});
  });

  it('of limits that differ in their roles only, the most generous holds, for each quantity', () => {
    const role = (name: string, more: Partial<UsageLimit>) => limit(name, { applies_to: { roles: [name] }, ...more });
    const user = role('user', { requests: 10, tokens: 500 });
    const power = role('power', { requests: 100, cost: 3 });
    const admin = role('admin', { requests: 1000, tokens: 1000, cost: 9 });
    expect(held([user, power, admin])).to.deep.equal({ user: { tokens: 500 }, power: { requests: 100, cost: 3 } });
    expect(held([user, power, admin], { user: 'bert', roles: ['user'] })).to.deep.equal({
      user: { requests: 10, tokens: 500 },
    });
    expect(held([user, role('power', { requests: 10 })]), 'equal: the first').to.deep.equal({
      user: { requests: 10, tokens: 500 },
    });
  });

  it('limits that differ in anything else hold side by side, and those without roles too', () => {
    const roles = { roles: ['user'] };
    const generous = limit('power', { requests: 100, applies_to: { roles: ['power'] } });
    for (const other of [
      limit('o', { requests: 1, applies_to: roles, per: 'all' }),
      limit('o', { requests: 1, applies_to: roles, window: 'hour' }),
      limit('o', { requests: 1, applies_to: { ...roles, operations: ['chat'] } }),
      limit('o', { requests: 1, applies_to: { ...roles, users: ['anna'] } }),
      limit('o', { requests: 1, applies_to: { ...roles, models: ['m1'] } }),
      limit('o', { requests: 1 }),
    ]) {
      expect(held([generous, other])).to.deep.equal({ power: { requests: 100 }, o: { requests: 1 } });
    }
    const models = (values: string[]) => ({ models: values });
    const a = limit('a', { requests: 1, applies_to: { roles: ['user'], ...models(['m1', 'm2']) } });
    const b = limit('b', { requests: 2, applies_to: { roles: ['power'], ...models(['m2', 'm1']) } });
    expect(held([a, b]), 'the same models in another order').to.deep.equal({ b: { requests: 2 } });
    const none = limit('none', { requests: 0 });
    expect(held([none, generous]), 'a role lifts only what names roles').to.have.keys('none', 'power');
  });
});

describe('windows', () => {
  const at = Date.UTC(2026, 11, 31, 23, 59, 59, 999);
  const end = Date.UTC(2027, 0, 1) / 1000;

  it('are those of the calendar in UTC', () => {
    expect(windowAt('minute', at)).to.deep.equal({ begin: end - 60, ends: end });
    expect(windowAt('hour', at)).to.deep.equal({ begin: end - 3600, ends: end });
    expect(windowAt('day', at)).to.deep.equal({ begin: end - 86_400, ends: end });
    expect(windowAt('month', at)).to.deep.equal({ begin: Date.UTC(2026, 11, 1) / 1000, ends: end });
    expect(windowAt('month', at + 1)).to.deep.equal({ begin: end, ends: Date.UTC(2027, 1, 1) / 1000 });
    expect(windowAt('month', Date.UTC(2028, 1, 29)).ends).to.equal(Date.UTC(2028, 2, 1) / 1000);
  });
});
