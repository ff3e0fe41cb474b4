import { TestPlatform } from '../../test/support/e2e/platform.ts';
import type { Bench } from '../bench.ts';

const ENTRIES = 10_000;
const RUNS = 15;
const COLLECTION = 'ml_container_connections';
const FIELDS = 'container_type,connection_name,docker_url,client_cert,cluster_url';

/** The inventory of ten thousand connections beside the read of the same fields through the platform alone. */
export async function cloud(bench: Bench): Promise<void> {
  const platform = await new TestPlatform().start();
  try {
    await platform.putDocuments(
      COLLECTION,
      Array.from({ length: ENTRIES }, (_, index) => ({
        _key: `docker.bench-${index}`,
        container_type: 'docker',
        connection_name: `bench ${(index * 7919) % ENTRIES}`,
        docker_url: `tcp://engine-${index}:2375`,
        secret_ref: null,
        secret_fields: [],
        version: 1,
      })),
    );
    const raw = `/servicesNS/nobody/ml_extension/storage/collections/data/${COLLECTION}?output_mode=json&limit=0&fields=${FIELDS}`;
    const list = async () => {
      const { json, text } = await platform.ml('admin', 'GET', '/list_connections');
      if (json.result.length !== ENTRIES) throw new Error(text.slice(0, 300));
    };
    const read = () => platform.call('admin', 'GET', raw);
    const against = `raw KV read of ${ENTRIES} documents`;
    const all = { what: `list_connections, all ${ENTRIES}`, against, aim: 3 };
    await bench.times(all, RUNS, list, read);
  } finally {
    await platform.dispose();
  }
}
