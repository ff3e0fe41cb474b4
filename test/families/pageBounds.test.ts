import { expect } from 'chai';
import { type Json, MemoryApp } from '../support/memory/app.ts';
import { FaultPlan } from '../support/memory/faults.ts';

const MAX = 16 * 1024 * 1024;
const KB = 1024;

/** Follows a list to its end. */
async function walk(app: MemoryApp, path: string): Promise<{ sizes: number[]; rows: Json[] }> {
  const [sizes, rows]: [number[], Json[]] = [[], []];
  for (let offset: number | null = 0; offset !== null; ) {
    const { json } = await app.call('root', 'GET', `${path}${path.includes('?') ? '&' : '?'}offset=${offset}`);
    const { pagination, result } = json;
    sizes.push(Buffer.byteLength(JSON.stringify(json)));
    rows.push(...result);
    expect(pagination.returned).to.equal(result.length);
    expect(result.length).to.be.greaterThan(0);
    const end = offset + result.length;
    expect([pagination.has_more, pagination.next_offset]).to.deep.equal(
      end < pagination.total ? [true, end] : [false, null],
    );
    offset = pagination.next_offset;
  }
  return { sizes, rows };
}

/** So many copies of a stored record under other names. */
function copies(app: MemoryApp, collection: string, count: number, change: (doc: Json, name: string) => Json): void {
  const collectionOf = app.site.records.collection(collection);
  const [key, text] = [...collectionOf][0] ?? [];
  if (key === undefined || text === undefined) throw new Error(`nothing in ${collection}`);
  collectionOf.delete(key);
  for (let index = 0; index < count; index += 1) {
    const name = `n${String(index).padStart(4, '0')}`;
    const doc = change(JSON.parse(text), name);
    collectionOf.set(String(doc._key), JSON.stringify(doc));
  }
}

const searchFor = (search: string): [string, string][] => (search ? [['search', search]] : []);

describe('pages end at 16 MB', () => {
  let app: MemoryApp;
  const text = (kilobytes: number) => 'ä'.repeat((kilobytes * KB) / 2);
  const made = async (path: string, body: object) => {
    const { status, json } = await app.call('root', 'POST', path, body);
    expect(status, JSON.stringify(json)).to.equal(200);
  };

  beforeEach(() => {
    app = new MemoryApp();
    app.user('root', {
      roles: ['admin'],
      capabilities: [
        'admin_all_objects',
        ...['edit_agent_connections', 'edit_agents', 'run_agents', 'register_ml_models'],
        ...['edit_ai_commander_config', 'list_ai_commander_config'],
      ],
    });
  });

  async function check(path: string, count: number, nameOf: (row: Json) => unknown): Promise<void> {
    const { sizes, rows } = await walk(app, path);
    expect(new Set(rows.map(nameOf)).size).to.equal(count);
    expect(rows).to.have.length(count);
    expect(Math.max(...sizes)).to.be.at.most(MAX);
    expect(sizes.length).to.be.greaterThan(1);
    // A page is no shorter than it has to be.
    for (const size of sizes.slice(0, -1)) expect(size).to.be.greaterThan(MAX - 2.2 * 1024 * KB);
  }

  it('experiments with their stages, plain, searched and sorted', async () => {
    await made('/experiments', { title: 'Sales', type: 'smart_forecast' });
    copies(app, 'ml_experiments', 40, (doc, title) => ({
      ...doc,
      ...{ _key: title, experiment_id: title, title, title_key: title },
      stages: JSON.stringify([{ role: 'fit', search: text(1000) }]),
    }));
    for (const query of ['', '&search=N0', '&sort_key=created_at&sort_dir=desc']) {
      await check(`/experiments?count=0&detail=true${query}`, 40, ({ title }) => title);
    }
    const first = (await app.call('root', 'GET', '/experiments?detail=true')).json.pagination;
    expect(first).to.include({ count: 30, returned: 16, has_more: true, next_offset: 16, total: 40 });
    expect((await app.call('root', 'GET', '/experiments?count=0')).json.pagination).to.include({ returned: 40 });
  });

  it('a history', async () => {
    await made('/experiments', { title: 'Sales', type: 'smart_forecast' });
    const id = app.site.records.all('ml_experiments')[0]?.experiment_id;
    copies(app, 'ml_experiment_history', 40, (doc, name) => ({
      ...doc,
      ...{ _key: name, history_id: name, message: 'night' },
      details: JSON.stringify({ message: 'night', search: text(1000) }),
    }));
    await check(`/experiments/${id}/history?count=0`, 40, ({ history_id }) => history_id);
    await check(`/experiments/${id}/history?count=0&search=night`, 40, ({ history_id }) => history_id);
  });

  it('agents', async () => {
    await made('/agents', { name: 'one' });
    const prompt = text(250);
    copies(app, 'ml_agents', 60, (doc, name) => ({ ...doc, _key: name, name, system_prompt: prompt }));
    await check('/agents?count=0', 60, ({ name }) => name);
  });

  it('MCP connections and vector stores', async () => {
    const details = { url: 'https://mcp.example/mcp' };
    await made('/mcp_connection', { name: 'one', type: 'PLATFORM', details });
    copies(app, 'ml_mcp_connections', 60, (doc, name) => ({ ...doc, _key: name, name, description: text(500) }));
    await check('/mcp_connection?count=0&sort_key=auth_state', 60, ({ name }) => name);
    const store = { cloud_region: 'eu-west-1', kb_id: 'ABCDEFGHIJ' };
    await made('/vector_stores', { name: 'one', type: 'CLOUD_KB', details: store });
    copies(app, 'ml_vector_stores', 60, (doc, name) => ({ ...doc, _key: name, name, description: text(500) }));
    await check('/vector_stores?count=0&sort_key=version', 60, ({ name }) => name);
  });

  it('LLM configurations, of many connections and of one with many models', async () => {
    const body = { service: 'General_Chat', connection_name: 'one', model: 'm', servicesettings: {} };
    const { status, json } = await app.call('root', 'POST', '/aicommander', {
      ...body,
      servicesettings: { access_token: { value: 'k' } },
    });
    expect(status, JSON.stringify(json)).to.equal(200);
    copies(app, 'ml_llm_connections', 30, (doc, name) => {
      const [model] = JSON.parse(String(doc.models));
      const models = [0, 1].map((index) => ({ ...model, model: `${name}-${index}`, blob: { note: text(400) } }));
      return { ...doc, _key: `general_chat.${name}`, connection_name: name, models: JSON.stringify(models) };
    });
    await check('/aicommander?count=0', 60, ({ model }) => model);
  });

  it('models whose maps are large', async () => {
    const cloud_credentials = { region: 'eu-west-1' };
    const maps = { input_feature_map: { a: 'b' }, output_prediction_map: { c: 'd' } };
    await made('/register_model', { model_name: 'one', endpoint_name: 'e', cloud_credentials, ...maps, batch_size: 1 });
    copies(app, 'ml_registered_models', 40, (doc, name) => ({
      ...doc,
      ...{ _key: name, model_name: name },
      input_feature_map: JSON.stringify({ [text(900)]: 'x' }),
    }));
    await check('/list_models?count=0', 40, ({ name }) => name);
  });

  it('one entry that is larger is shown alone', async () => {
    await made('/agents', { name: 'one' });
    copies(app, 'ml_agents', 3, (doc, name) => ({ ...doc, _key: name, name, task_prompt: text(9000) }));
    const { rows, sizes } = await walk(app, '/agents?count=0');
    expect(rows.map(({ name }) => name)).to.deep.equal(['n0000', 'n0001', 'n0002']);
    expect(sizes).to.have.length(3);
  });

  it('what goes while a page is read is passed over, and nothing else is missed', async () => {
    await made('/agents', { name: 'one' });
    copies(app, 'ml_agents', 70, (doc, name) => ({ ...doc, _key: name, name }));
    const stored = app.site.records.collection('ml_agents');
    const page = async (query: [string, string][], plan?: FaultPlan) =>
      (await app.request({ path: '/ml/agents', query, sessionToken: 'root' }, plan)).json;
    // A list looks at all and then reads the page's own: it goes in between.
    for (const [gone, search] of [
      ['n0010', 'n'],
      ['n0020', ''],
    ] as const) {
      const faults = new FaultPlan();
      const call = faults.call.bind(faults);
      faults.call = (name, effect) => {
        if (faults.trace.filter((one) => one === 'find ml_agents').length === 2) stored.delete(gone);
        return call(name, effect);
      };
      const all = stored.size;
      const first = await page([['count', '40'], ...searchFor(search)], faults);
      expect(first.pagination).to.include({ returned: 39, next_offset: 39, total: all - 1 });
      const offset = String(first.pagination.next_offset);
      const rest = await page([['count', '0'], ['offset', offset], ...searchFor(search)]);
      const names = [...first.result, ...rest.result].map(({ name }: Json) => name);
      expect(names).to.deep.equal([...stored.keys()]);
    }
  });
});
