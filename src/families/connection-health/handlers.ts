import { counted } from '../../contract/basics.ts';
import type { Handlers } from '../../contract/rows/handlers.ts';
import type { Stores } from '../../domain/records/sealedRecord.ts';
import type { Settings } from '../../ports/stores/settings.ts';
import type { References } from '../../resources/references.ts';
import { Check } from './check.ts';
import type { connectionHealth } from './endpoints.ts';
import { pageOfHealth } from './listing.ts';
import { type HealthSources, readConnections, rowOf } from './readConnections.ts';

export function connectionHealthHandlers(
  { stores, settings }: { stores: Stores; settings: Settings },
  references: References,
  sources: HealthSources,
): Handlers<typeof connectionHealth> {
  const reader = { stores, sources, references };
  const now = () => stores.clock.now() / 1000;

  return {
    async listConnectionHealth({ caller, query }) {
      const connections = await readConnections(reader, caller, query.family);
      const rows = connections.map((connection) => rowOf(connection, now()));
      const { result, pagination } = pageOfHealth(rows, query);
      return { result, pagination, message: counted(pagination.total, 'connection') };
    },
    async checkConnectionHealth({ caller, body, warnings }) {
      const check = new Check({ ...reader, settings }, caller, body);
      const { connections, tested } = await check.run(warnings);
      return {
        message: `${counted(tested.size, 'connection')} tested`,
        result: connections.map((connection) => ({ ...rowOf(connection, now()), checked: tested.has(connection.id) })),
      };
    },
  };
}
