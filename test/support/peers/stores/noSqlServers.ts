import { OutboundError } from '../../../../src/contract/codes/outbound.ts';
import type { SqlServers } from '../../../../src/ports/knowledge/sqlServers.ts';

/** No database can be reached. */
export const NO_SQL_SERVERS: SqlServers = {
  async connected() {
    throw new OutboundError('connection_refused', 'the database is not there');
  },
};
