import { expectStatus, TestPlatform } from '../../test/support/e2e/platform.ts';
import type { Bench } from '../bench.ts';
import { containerConnections, fill, llmConfigurations, mcpConnections, READERS, vectorStores } from '../listSeeds.ts';
import { timed } from '../measure.ts';
import type { Comparison } from '../report.ts';

const RECORDS = 1000;
const COLLECTIONS = ['ml_mcp_connections', 'ml_llm_connections', 'ml_container_connections', 'ml_vector_stores'];
/** What connection health looks into beside them: who uses a connection, and what has drifted. */
const BESIDE = ['ml_registered_models', 'ml_agents', 'ml_mcp_listings'];

/** Many records in one call, beside the calls that it stands for. */
export async function writes(bench: Bench): Promise<void> {
  await imports(bench);
  await health(bench);
}

const IMPORT: Comparison = {
  what: `import of ${RECORDS} records`,
  against: `${RECORDS} single creates`,
  unit: 'ms',
  aim: 1.2,
};

async function imports(bench: Bench): Promise<void> {
  if (!bench.wants(IMPORT)) return;
  const platform = await new TestPlatform().start();
  try {
    const spec = (name: string) => ({ name, type: 'PLATFORM', details: { url: 'https://mcp.example.com/mcp' } });
    const names = Array.from({ length: RECORDS }, (_, index) => `record ${index}`);
    const records = names.map((name) => ({ family: 'mcp-connections', name, spec: spec(name), secrets: [] }));
    const document = { format: 'ml_extension', format_version: 1, records };
    const clean = () => platform.removeDocuments('ml_mcp_connections');
    const singly = async () => {
      for (const name of names)
        expectStatus(await platform.ml('admin', 'POST', '/mcp_connection', spec(name)), 200, name);
    };
    const together = async () => {
      // What the time of a call is too short for is left to the next one.
      for (let left = RECORDS; left > 0; ) {
        const reply = await platform.ml('admin', 'POST', '/import', { document, mode: 'apply' });
        expectStatus(reply, 200, 'the import');
        const { blocked, failed, not_reached } = reply.json.summary;
        if (blocked + failed > 0) throw new Error(reply.text.slice(0, 500));
        left = not_reached;
      }
    };
    await bench.row(IMPORT, 2, async (runs) => {
      const measured = { ours: [] as number[], base: [] as number[] };
      for (let run = 0; run < runs; run += 1) {
        await clean();
        measured.ours.push(await timed(together));
        await clean();
        measured.base.push(await timed(singly));
      }
      return measured;
    });
  } finally {
    await platform.dispose();
  }
}

async function health(bench: Bench): Promise<void> {
  const platform = await new TestPlatform().start();
  try {
    await platform.createRole(READERS, []);
    for (const seed of [mcpConnections, llmConfigurations, containerConnections, vectorStores])
      await fill(platform, seed, RECORDS / COLLECTIONS.length);
    const app = '/servicesNS/nobody/ml_extension';
    const rows = async () => {
      const { json, text } = await platform.call('admin', 'GET', `${app}/ml/connection_health?count=0`);
      if (json.result?.length !== RECORDS) throw new Error(text.slice(0, 500));
    };
    const raw = () =>
      Promise.all(
        [...COLLECTIONS, ...BESIDE].map(async (collection) => {
          const url = `${app}/storage/collections/data/${collection}?output_mode=json&limit=0`;
          expectStatus(await platform.call('admin', 'GET', url), 200, collection);
        }),
      );
    const comparison = {
      what: `connection_health of ${RECORDS} rows`,
      against: 'the raw KV reads that it needs',
      aim: 2,
      keep: 6,
    };
    await bench.times(comparison, 25, rows, raw);
  } finally {
    await platform.dispose();
  }
}
