import type { TestPlatform } from '../../test/support/e2e/platform.ts';
import type { Bench } from '../bench.ts';

const CONFIGURATIONS = 1000;
const AT_ONCE = 4;

/** The list of LLM configurations beside a read of the same documents without the app. */
export async function llm(bench: Bench, platform: TestPlatform): Promise<void> {
  const names = Array.from({ length: CONFIGURATIONS }, (_, index) => `bench ${index}`);
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let name = names.pop(); name !== undefined; name = names.pop()) await save(platform, name);
    }),
  );
  const raw = '/servicesNS/nobody/ml_extension/storage/collections/data/ml_llm_connections?output_mode=json&limit=0';
  const list = async (query: string, expected: number) => {
    const { json } = await platform.ml('admin', 'GET', `/aicommander?${query}`);
    if (json.result?.length !== expected) throw new Error(`the list has ${json.result?.length} entries`);
  };
  const against = 'raw KV read of the 1,000 documents through the same platform';
  const read = () => platform.call('admin', 'GET', raw);
  const all = { what: 'GET /ml/aicommander, all of 1,000 configurations', against, aim: 6 };
  await bench.times(all, 20, () => list('count=0', CONFIGURATIONS), read);
  const page = { what: 'GET /ml/aicommander, a page of 30 of 1,000 configurations', against, aim: 3 };
  await bench.times(page, 20, () => list('sort_key=last_updated_at&sort_dir=desc', 30), read);
}

async function save(platform: TestPlatform, connection_name: string): Promise<void> {
  const reply = await platform.ml('admin', 'POST', '/aicommander', {
    service: 'General_Chat',
    connection_name,
    model: 'gpt-4o-mini',
    servicesettings: {
      endpoint: { value: 'https://llm.example/v1', label: 'Endpoint', type: 'string' },
      access_token: { value: 'a key as long as keys of providers are: 0123456789', label: 'Access token' },
      request_timeout: { value: 30 },
    },
    modelsettings: { max_tokens: { value: 1000 }, response_variability: { value: 0.2 } },
  });
  if (reply.status !== 200) throw new Error(`a configuration could not be saved: ${reply.text}`);
}
