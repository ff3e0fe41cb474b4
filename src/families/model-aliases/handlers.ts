import type { Handlers } from '../../contract/rows/handlers.ts';
import type { RecordPlans } from '../../contract/rows/recordPlan.ts';
import type { Stores } from '../../domain/records/sealedRecord.ts';
import { crudHandlers } from '../../resources/crud/handlers.ts';
import { type References, unusedBy } from '../../resources/references.ts';
import { Resources } from '../../resources/resources.ts';
import { Cooldowns } from '../llm-providers/public.ts';
import type { AliasRecord } from './definition.ts';
import type { modelAliases } from './endpoints.ts';
import { aliasKind, FAMILY, OPERATIONS } from './records.ts';
import { assertTargetsKnown } from './targets.ts';

export function modelAliasHandlers(
  stores: Stores,
  plans: RecordPlans,
  references: References,
): Handlers<typeof modelAliases> {
  const kind: typeof aliasKind = { ...aliasKind, assertUnused: unusedBy(references, 'alias') };
  const handlers = crudHandlers(OPERATIONS, new Resources(kind, stores, plans[FAMILY]), {
    created: 'Model alias created',
    updated: 'Model alias updated',
    deleted: 'Model alias deleted',
    assertKnown: (caller, { targets = [] }, before, isPlanned) =>
      assertTargetsKnown(stores.records, caller, targets, before?.targets ?? [], isPlanned),
  });
  return {
    ...handlers,
    async getModelAlias(call) {
      const [{ config }, cooldowns] = await Promise.all([handlers.getModelAlias(call), Cooldowns.read(stores)]);
      return { config: withCooldowns(config, cooldowns) };
    },
    async listModelAliases(call) {
      const [reply, cooldowns] = await Promise.all([handlers.listModelAliases(call), Cooldowns.read(stores)]);
      if ('config' in reply) return { config: withCooldowns(reply.config, cooldowns) };
      return { ...reply, result: reply.result.map((alias) => withCooldowns(alias, cooldowns)) };
    },
  };
}

const withCooldowns = (alias: AliasRecord, cooldowns: Cooldowns): AliasRecord => ({
  ...alias,
  targets: alias.targets.map((target) => {
    const cooldown = cooldowns.of(target);
    return cooldown ? { ...target, cooldown } : target;
  }),
});
