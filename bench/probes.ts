import { createServer } from 'node:http';
import { createServer as createTcp } from 'node:net';
import { ContainerClient } from '../test/e2e/containerSupport.ts';
import { expectStatus, TestPlatform } from '../test/support/e2e/platform.ts';
import { listen, sendJson } from '../test/support/peers/listen.ts';
import type { Bench } from './bench.ts';

const CONTAINERS = 200;
const SILENT = 20;
const BANNER = JSON.stringify({ app: 'Splunk App for Data Science and Deep Learning' });

/** A look at many containers, some of which never answer, beside a look at one that does not: all are asked at once. */
export async function probes(bench: Bench): Promise<void> {
  const good = await listen(createServer((_, response) => response.end(BANNER)));
  const silent = await listen(createTcp(() => {}));
  const ports = Array.from({ length: CONTAINERS }, (_, index) =>
    index % (CONTAINERS / SILENT) === 0 ? silent.port : good.port,
  );
  const [many, one] = [await site(ports), await site([silent.port])];
  try {
    const what = `container_data of ${CONTAINERS} records, ${SILENT} of them silent`;
    await bench.times({ what, against: 'of one record, silent', aim: 1.2 }, 3, many.look, one.look);
  } finally {
    for (const { close } of [many, one, good, silent]) await close();
  }
}

/** A platform with an engine whose containers publish these ports. */
async function site(ports: readonly number[]) {
  let installation = '';
  const engine = await listen(
    createServer((request, response) => {
      if (!request.url?.startsWith('/containers/json')) return sendJson(response, 404, { message: 'no such endpoint' });
      const containers = ports.map((port, index) => ({
        Id: `id-${index}`,
        Names: [`/ml-${index}`],
        State: 'running',
        Ports: [{ PrivatePort: 5000, PublicPort: port, Type: 'tcp' }],
        Labels: {
          'ml_extension.installation': installation,
          'ml_extension.connection': 'docker.many',
          'ml_extension.model': `model-${index}`,
          'ml_extension.start': `mark-${index}`,
          'ml_extension.settings': '{"mode":"PROD"}',
        },
      }));
      return sendJson(response, 200, installation === '' ? [] : containers);
    }),
  );
  const platform = await new TestPlatform().start();
  const client = new ContainerClient(platform);
  const connection = { container_type: 'docker', connection_name: 'many' };
  expectStatus(await client.save({ ...connection, docker_url: `tcp://127.0.0.1:${engine.port}` }), 200, 'the engine');
  await client.data();
  installation = await client.installation();
  return {
    async look() {
      const { json, text } = await client.data();
      if (Object.keys(json.config ?? {}).length !== ports.length) throw new Error(text.slice(0, 500));
    },
    async close() {
      await platform.dispose();
      await engine.close();
    },
  };
}
