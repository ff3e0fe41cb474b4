import type { Caller } from '../../contract/caller.ts';
import { counted } from '../../contract/counted.ts';
import type { Handlers } from '../../contract/handlers.ts';
import type { Stores } from '../../domain/sealed.ts';
import type { Settings } from '../../ports/settings.ts';
import { Check } from './check.ts';
import type { connectionHealth } from './endpoints.ts';
import { keptPage, noteSize } from './keptPage.ts';
import { type HealthQuery, pageOfHealth } from './listing.ts';
import { type Connection, type HealthSources, readConnections, rowOf } from './readConnections.ts';

export function connectionHealthHandlers(
  stores: Stores,
  settings: Settings,
  sources: HealthSources,
): Handlers<typeof connectionHealth> {
  const reader = { stores, sources };
  const now = () => stores.clock.now() / 1000;
  const rowsOf = (connections: readonly Connection[]) => connections.map((one) => rowOf(one, now()));

  async function wholePage(caller: Caller, query: HealthQuery) {
    const found = await readConnections(reader, caller, query.family);
    noteSize(reader, query, found.length);
    return pageOfHealth(rowsOf(found), query);
  }

  return {
    async listConnectionHealth({ caller, query }) {
      const { result, pagination } =
        (await keptPage(reader, caller, query, rowsOf, now)) ?? (await wholePage(caller, query));
      return { result, pagination, message: counted(pagination.total, 'connection') };
    },
    async checkConnectionHealth({ caller, body, warnings }) {
      const check = new Check({ stores, settings, sources }, caller, body);
      const { connections, tested } = await check.run(warnings);
      return {
        message: `${counted(tested.size, 'connection')} tested`,
        result: connections.map((one) => ({ ...rowOf(one, now()), checked: tested.has(one.id) })),
      };
    },
  };
}
