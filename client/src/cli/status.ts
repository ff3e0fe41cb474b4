import type { MlExtension } from '../client.ts';
import { MlExtensionError } from '../errors.ts';
import type { LastTest } from '../schemas.ts';
import { plain, type Terminal, table } from './terminal.ts';
import type { Arguments } from './usage.ts';

interface Row {
  family: string;
  name: string;
  state: string;
  last_test?: LastTest | null | undefined;
}

type Listing = (ml: MlExtension) => AsyncGenerator<Row>;

const LISTINGS: readonly Listing[] = [
  async function* agents(ml) {
    for await (const { name, state } of ml.each('listAgents')) yield { family: 'agents', name, state };
  },
  async function* containerConnections(ml) {
    for await (const { container_type, connection_name, last_test } of ml.each('listTestedConnections'))
      yield row('container-connections', `${container_type}/${connection_name}`, last_test);
  },
  async function* experiments(ml) {
    for await (const { title, status } of ml.each('listExperiments'))
      yield { family: 'experiments', name: title, state: status };
  },
  async function* llm(ml) {
    for await (const { service, connection_name, model, last_test } of ml.each('listLlmConfigurations'))
      yield row('llm-providers', `${service}/${connection_name}/${model}`, last_test);
  },
  async function* mcp(ml) {
    for await (const { name, last_test } of ml.each('listMcpConnections'))
      yield row('mcp-connections', name, last_test);
  },
  async function* modelAliases(ml) {
    const family = 'model_aliases';
    for await (const { name, state, last_test } of ml.each('listConnectionHealth', { query: { family } })) {
      const isTested = last_test.tested_at !== undefined;
      yield { family, name, state, last_test: isTested ? (last_test as LastTest) : null };
    }
  },
  async function* models(ml) {
    for await (const { type, name } of ml.each('listModels')) {
      if (type !== 'cloud') continue;
      const { config } = await ml.call('getRegistration', { query: { model_name: name } });
      yield row('model-registrations', name, config.last_test);
    }
  },
  async function* vectorStores(ml) {
    for await (const { name, last_test } of ml.each('listVectorStores')) yield row('vector-stores', name, last_test);
  },
];

function row(family: string, name: string, last_test: LastTest | null | undefined): Row {
  if (!last_test) return { family, name, state: 'untested', last_test: null };
  return { family, name, state: last_test.status === 'success' ? 'ok' : (last_test.error_code ?? 'fail'), last_test };
}

/** Lists records with their last test; skips families that the caller may not list. */
export async function status(ml: MlExtension, { json }: Arguments, terminal: Terminal): Promise<number> {
  const rows: Row[] = [];
  for (const listing of LISTINGS) {
    try {
      for await (const one of listing(ml)) rows.push(one);
    } catch (error) {
      if (!(error instanceof MlExtensionError) || error.code !== 'missing_capability') throw error;
      terminal.note(`Not shown: ${plain(error.message)}`);
    }
  }
  if (json) terminal.out(JSON.stringify({ result: rows }, null, 2));
  else {
    const cells = rows.map(({ family, name, state, last_test }) => [
      family,
      plain(name),
      state,
      last_test ? `${new Date(last_test.tested_at * 1000).toISOString().slice(0, 19)}Z` : '',
    ]);
    for (const line of table([['FAMILY', 'NAME', 'STATE', 'TESTED'], ...cells])) terminal.out(line);
  }
  return 0;
}
