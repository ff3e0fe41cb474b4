import type { UsageOperation } from '../../../src/contract/families/usage.ts';
import { LimitCounters } from '../../../src/metering/limits/limitCounters.ts';
import { type LimitReach, useLimits } from '../../../src/metering/limits/limitedUses.ts';
import type { UsageLimit } from '../../../src/metering/limits/usageLimit.ts';
import type { LimitReservation, UsedAmounts } from '../../../src/metering/limits/useLimits.ts';
import type { HostClock } from '../../../src/ports/platform/clock.ts';
import type { FaultPlan } from '../../support/memory/faults.ts';
import { caller, MemoryPlatform } from '../../support/memory/platform.ts';

export const TARGET = { service: 'General_Chat', connection_name: 'up', model: 'm1' };
const META = { version: 1, created_at: 0, created_by: 'a', last_updated_at: 0, last_updated_by: 'a' };
const SEALED = { secret_ref: null, secret_fields: [] };

export const limit = (name: string, more: Partial<UsageLimit> = {}): UsageLimit => ({
  limit_id: `id-${name}`,
  name,
  applies_to: {},
  per: 'user',
  window: 'day',
  action: 'refuse',
  is_enabled: true,
  ...more,
});

export interface AskedUse {
  user?: string;
  roles?: string[];
  operation?: UsageOperation;
  alias?: string;
  target?: typeof TARGET;
  estimate?: UsedAmounts;
}

/** Gateway processes on one store in memory. */
export class LimitSite {
  readonly platform = new MemoryPlatform();
  readonly reached: LimitReach[] = [];

  store(...limits: UsageLimit[]): void {
    const docs = this.platform.records.collection('ml_usage_limits');
    for (const one of limits) {
      const key = one.name.toLowerCase();
      docs.set(key, JSON.stringify({ _key: key, description: '', ...META, ...SEALED, ...one }));
    }
  }

  counters(): Record<string, unknown>[] {
    return this.platform.records.all('ml_usage_counters');
  }

  process({ faults, clock }: { faults?: FaultPlan; clock?: HostClock } = {}) {
    const stores = this.platform.process(faults, clock);
    const counters = new LimitCounters();
    const begin = ({ user = 'anna', roles = ['user'], operation = 'chat', alias }: AskedUse): LimitReservation =>
      useLimits({ stores, counters, reached: (one) => this.reached.push(one) }).begin({
        caller: caller(user, { roles }),
        operation,
        alias,
        deadlineMs: 60_000,
      });
    return {
      stores,
      counters,
      begin,
      /** A use that is permitted; its caller settles or releases it. */
      async admit(use: AskedUse = {}): Promise<LimitReservation> {
        const limited = begin(use);
        await limited.admit(use.target ?? TARGET, use.estimate ?? { tokens: 10, cost: 0.01 });
        return limited;
      },
      flush: () => counters.flush(stores),
      close: () => counters.close(stores),
    };
  }
}

export type LimitProcess = ReturnType<LimitSite['process']>;
