import { unmasked } from '../../../masking/checkedBody.ts';
import type { SqlAccess, SqlServers, SqlSession } from '../../../ports/knowledge/sqlServers.ts';
import type { Deadline } from '../../../ports/platform/clock.ts';
import { probeVector, TESTED_PASSAGES } from '../kinds/probe.ts';
import type { TestRun } from '../kinds/testRun.ts';
import { searchTable } from './search.ts';
import { describeTable, type PgDetails, type Table } from './table.ts';

/** Reads the columns of a table and searches it, with a vector of ours: nobody has masked the text of a test. */
export async function testTable(
  servers: SqlServers,
  access: SqlAccess,
  details: PgDetails,
  query: string | undefined,
  deadline: Deadline,
  run: TestRun,
): Promise<Record<never, never>> {
  let dimensions: number | undefined;
  await run.step('get_knowledge_base', true, () =>
    servers.connected(access, deadline, async (session) => {
      const table = await describeTable(session, details);
      dimensions = table.dimensions ?? (await lengthOfOne(session, table));
    }),
  );
  await run.step('retrieve', query !== undefined, async () => {
    const probe = { text: '', count: TESTED_PASSAGES, vector: probeVector(dimensions) };
    await servers.connected(access, deadline, (session) => searchTable(session, details, unmasked(probe)));
  });
  return {};
}

async function lengthOfOne(session: SqlSession, { name, vector }: Table): Promise<number | undefined> {
  const [row] = await session.query(
    `SELECT cardinality(${vector}::real[]) AS length FROM ${name} WHERE ${vector} IS NOT NULL LIMIT 1`,
  );
  return row?.length ? Number(row.length) : undefined;
}
