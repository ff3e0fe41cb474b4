/**
 * Every connection that you may see, with the outcome of its last test.
 *
 *   ML_URL=https://localhost:8089 ML_USER=admin ML_PASSWORD=… node inventory.ts
 */
import { MlExtension } from 'ml-extension-client';

const { ML_URL = 'https://localhost:8089', ML_USER = 'admin', ML_PASSWORD = '' } = process.env;
const ml = new MlExtension({ baseUrl: ML_URL, auth: { username: ML_USER, password: ML_PASSWORD } });

interface Line {
  kind: string;
  name: string;
  lastTest: string;
}

/** A list answers a page; `has_more` says that there is another. */
async function* mcpConnections(): AsyncGenerator<Line> {
  for (let offset = 0, more = true; more; ) {
    const { result = [], pagination } = await ml.call('listMcpConnections', { query: { offset, count: 50 } });
    for (const { name, last_test } of result)
      yield { kind: 'MCP', name, lastTest: last_test === undefined ? 'never' : last_test.status };
    offset += result.length;
    more = pagination?.has_more === true;
  }
}

async function* vectorStores(): AsyncGenerator<Line> {
  for (let offset = 0, more = true; more; ) {
    const { result = [], pagination } = await ml.call('listVectorStores', { query: { offset, count: 50 } });
    for (const { name, last_test } of result)
      yield { kind: 'vector store', name, lastTest: last_test === undefined ? 'never' : last_test.status };
    offset += result.length;
    more = pagination?.has_more === true;
  }
}

for (const lines of [mcpConnections(), vectorStores()])
  for await (const { kind, name, lastTest } of lines) console.log(`${kind}\t${name}\t${lastTest}`);
