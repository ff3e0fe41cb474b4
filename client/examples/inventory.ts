/**
 * Every connection that you may see, with the outcome of its last test.
 *
 *   ML_URL=https://localhost:8089 ML_USER=admin ML_PASSWORD=… node inventory.ts
 */
import { MlExtension } from 'ml-extension-client';

const { ML_URL = 'https://localhost:8089', ML_USER = 'admin', ML_PASSWORD = '' } = process.env;
const ml = new MlExtension({ baseUrl: ML_URL, auth: { username: ML_USER, password: ML_PASSWORD } });

function show(kind: string, name: string, lastTest: { status: string } | undefined | null): void {
  console.log(`${kind}\t${name}\t${lastTest?.status ?? 'never'}`);
}

for await (const { name, last_test } of ml.each('listMcpConnections')) show('MCP', name, last_test);
for await (const { connection_name, model, last_test } of ml.each('listLlmConfigurations'))
  show('LLM', `${connection_name} ${model}`, last_test);
for await (const { container_type, connection_name, last_test } of ml.each('listTestedConnections'))
  show(container_type, connection_name, last_test);
for await (const { name, last_test } of ml.each('listVectorStores')) show('vector store', name, last_test);
