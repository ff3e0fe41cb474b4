import { ContainerClient } from '../../test/e2e/containers/containerSupport.ts';
import { startApplications, startManyEngine } from '../../test/support/containers/manyEngine.ts';
import { expectStatus, TestPlatform } from '../../test/support/e2e/platform.ts';
import type { Bench } from '../bench.ts';

const CONTAINERS = 200;
const SILENT = 20;

/** Lists many containers, some without an answer, beside one without an answer: probes run in parallel. */
export async function probes(bench: Bench): Promise<void> {
  const applications = await startApplications();
  const { good, silent } = applications;
  const ports = Array.from({ length: CONTAINERS }, (_, index) => (index % (CONTAINERS / SILENT) === 0 ? silent : good));
  const [many, one] = [await site(ports), await site([silent])];
  try {
    const what = `container_data of ${CONTAINERS} records, ${SILENT} of them silent`;
    await bench.times({ what, against: 'of one record, silent', aim: 1.2 }, 3, many.list, one.list);
  } finally {
    for (const { close } of [many, one, applications]) await close();
  }
}

/** A platform with an engine whose containers publish these ports. */
async function site(ports: readonly number[]) {
  const engine = await startManyEngine(ports);
  const platform = await new TestPlatform().start();
  const client = new ContainerClient(platform);
  expectStatus(await client.save(engine.connection), 200, 'the engine');
  await client.data();
  engine.belongsTo(await client.installation());
  return {
    async list() {
      const { json, text } = await client.data();
      if (Object.keys(json.config ?? {}).length !== ports.length) throw new Error(text.slice(0, 500));
    },
    async close() {
      await platform.dispose();
      await engine.close();
    },
  };
}
