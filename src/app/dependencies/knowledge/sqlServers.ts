import type { SqlServers } from '../../../ports/knowledge/sqlServers.ts';
import { lazy } from '../../lazy.ts';
import { outboundPolicy, type SiteSettings } from '../outboundPolicy.ts';

export const sqlServers = (settings: SiteSettings) =>
  lazy<SqlServers>(async () =>
    (await import('../../../adapters/sql/postgres.ts')).postgresServers(await outboundPolicy(settings)),
  );
