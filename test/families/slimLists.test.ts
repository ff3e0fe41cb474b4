import { expect } from 'chai';
import { SlimRows } from '../../src/domain/slimRows.ts';
import { type LlmConnection, llmConnectionKey } from '../../src/families/llm-providers/connection.ts';
import { llmPage } from '../../src/families/llm-providers/listing.ts';
import { listedRegistrations, readableRegistrations } from '../../src/families/model-registrations/readable.ts';
import { REGISTERED_MODELS } from '../../src/families/model-registrations/stored.ts';
import { caller, MemoryPlatform } from '../support/memory/platform.ts';
import { Random } from '../support/random.ts';

const LLM = 'ml_llm_connections';
const SERVICES = ['General_Chat', 'Local_Runtime'];

/** Lists that are made from what a process keeps, beside those that read everything. */
describe('lists of what a process keeps', () => {
  let site: MemoryPlatform;
  let random: Random;
  const rows = () => ({ rows: new SlimRows() });
  beforeEach(() => {
    site = new MemoryPlatform();
    random = new Random(18);
  });
  const put = (collection: string, key: string, doc: object) => {
    const before = JSON.parse(site.records.collection(collection).get(key) ?? '{"version":0}') as { version: number };
    const meta = { _key: key, version: before.version + 1, last_updated_at: site.clock.now() / 1000 };
    site.records.collection(collection).set(key, JSON.stringify({ ...doc, ...meta }));
  };
  const remove = (collection: string, key: string) => site.records.collection(collection).delete(key);

  it('LLM configurations are those that reading all gives, filtered, searched and sorted', async () => {
    const kept = rows();
    const change = (index: number) => {
      const service = SERVICES[index % 2] as LlmConnection['service'];
      const connection_name = `${index % 3 ? 'Team' : 'team'} ${index}`;
      const models = Array.from({ length: 1 + random.below(3) }, (_, at) => {
        const times = { created_at: index, last_updated_at: random.below(100) };
        return { model: `model-${(at * 7 + index) % 5}.${at}`, blob: { x: 'y'.repeat(100) }, version: 1, ...times };
      });
      const doc = {
        service,
        connection_name,
        servicesettings: '{}',
        models: JSON.stringify(models),
        secret_fields: [],
      };
      put(LLM, llmConnectionKey(service, connection_name), doc);
    };
    for (let index = 0; index < 260; index += 1) change(index);
    for (let round = 0; round < 60; round += 1) {
      site.clock.advance(random.pick([0, 1000, 30_000]));
      for (let count = random.below(4); count > 0; count -= 1) change(random.below(280));
      if (random.chance(0.3)) remove(LLM, random.pick([...site.records.collection(LLM).keys()]));
      const query = {
        ...(random.chance(0.5) ? { service: random.pick(SERVICES) } : {}),
        ...(random.chance(0.2) ? { connection_name: `TEAM ${random.below(280)}` } : {}),
        ...(random.chance(0.5) ? { search: random.pick(['team 1', 'MODEL-3', 'local', 'none']) } : {}),
        ...(random.chance(0.6) ? { sort_key: random.pick(['connection_name', 'model', 'last_updated_at']) } : {}),
        sort_dir: random.pick(['asc', 'desc'] as const),
        count: random.pick([0, 30]),
      };
      const stores = site.process();
      expect(await llmPage({ ...stores, ...kept }, query, []), JSON.stringify(query)).to.deep.equal(
        await llmPage(stores, query, []),
      );
    }
  });

  it('registered models are those that the caller may read now', async () => {
    const kept = rows();
    const change = (index: number) => {
      const read = random.pick([['user'], ['power'], []]);
      const acl = { owner: random.pick(['ann', 'ben']), sharing: 'app', perms: { read, write: [] } };
      put(REGISTERED_MODELS, `m${index}`, { model_name: `m${index}`, acl, input_feature_map: '{}' });
    };
    for (let index = 0; index < 260; index += 1) change(index);
    for (let round = 0; round < 40; round += 1) {
      site.clock.advance(1000);
      change(random.below(280));
      if (random.chance(0.3)) remove(REGISTERED_MODELS, `m${random.below(280)}`);
      const who = caller(random.pick(['ann', 'dan']), { roles: random.pick([['user'], ['power'], []]) });
      const stores = site.process();
      const byKey = (list: { _key: string }[]) => list.toSorted((a, b) => (a._key < b._key ? -1 : 1));
      expect(byKey(await listedRegistrations({ ...stores, ...kept }, who))).to.deep.equal(
        byKey(await readableRegistrations(stores.records, who)),
      );
    }
  });
});
