import { expect } from 'chai';
import { LimitMessages } from '../../src/metering/limits/limitMessages.ts';
import { UsagePublisher } from '../../src/metering/usagePublisher.ts';
import { caller } from '../support/memory/platform.ts';
import { LimitSite, limit, TARGET } from './limits/limitSite.ts';

describe('the uses of a process', () => {
  it('that took from limits and leave no record are given back at the end', async () => {
    const site = new LimitSite();
    site.store(limit('some', { requests: 5, tokens: 100 }));
    const stores = site.platform.process();
    const publisher = new UsagePublisher();
    const settings = { recent: async () => ({}), read: async () => ({}) };
    const events = { send: async () => {} };
    const messages = { post: async () => {} };
    const limits = publisher.limits({ stores: { ...stores, settings }, settings, events, messages } as never);
    const subject = { operation: 'chat', alias: undefined, deadlineMs: 1000 } as const;
    const use = limits.begin({ caller: caller('anna', { roles: [] }), ...subject });
    await use.admit(TARGET, { tokens: 1, cost: undefined });
    await use.release();
    await publisher.close();
    const shards = site.counters().filter(({ kind }) => kind === 'shard');
    expect(shards.map(({ closed, requests, open }) => [closed, requests, open])).to.deep.equal([[true, 0, []]]);
  });
});

describe('messages about limits', () => {
  it('are noted once a limit, window and state', () => {
    const messages = new LimitMessages();
    const reached = { limit: limit('some', { window: 'minute' }), ends: 120, isUsedUp: false };
    expect(messages.note(reached, 100)).to.equal(true);
    expect(messages.note(reached, 101)).to.equal(false);
    expect(messages.note({ ...reached, isUsedUp: true }, 102)).to.equal(true);
    expect(messages.note({ ...reached, ends: 180 }, 121)).to.equal(true);
    expect(messages.note({ ...reached, ends: 180 }, 122)).to.equal(false);
  });
});
