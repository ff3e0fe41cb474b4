/**
 * Tests every MCP connection that you may see; ends with 1 if one of them cannot be used. For a scheduler.
 *
 *   ML_URL=https://localhost:8089 ML_USER=admin ML_PASSWORD=… node checkConnections.ts
 */
import { MlExtension, MlExtensionError } from 'ml-extension-client';

const { ML_URL = 'https://localhost:8089', ML_USER = 'admin', ML_PASSWORD = '' } = process.env;
const ml = new MlExtension({ baseUrl: ML_URL, auth: { username: ML_USER, password: ML_PASSWORD } });

/** Why it cannot be used; undefined when it can. */
async function problem(name: string): Promise<string | undefined> {
  try {
    // A test that fails is an answer, with status 200.
    const test = await ml.call('testMcpConnection', { body: { name } });
    return test.success ? undefined : `${test.error_code}: ${test.message}`;
  } catch (error) {
    if (error instanceof MlExtensionError) return `${error.code ?? error.status}: ${error.message}`;
    throw error;
  }
}

for await (const { name } of ml.each('listMcpConnections')) {
  const found = await problem(name);
  console.log(`${name}: ${found ?? 'ok'}`);
  if (found !== undefined) process.exitCode = 1;
}
