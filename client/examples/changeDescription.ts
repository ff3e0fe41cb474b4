/**
 * Changes a record that others change too: reads it, writes under the condition that it is still the one that was read, and
 * reads again when it is not.
 *
 *   ML_URL=https://localhost:8089 ML_USER=admin ML_PASSWORD=… node changeDescription.ts <connection> <text to add>
 */
import { isFailure, MlExtension } from 'ml-extension-client';

const { ML_URL = 'https://localhost:8089', ML_USER = 'admin', ML_PASSWORD = '' } = process.env;
const ml = new MlExtension({ baseUrl: ML_URL, auth: { username: ML_USER, password: ML_PASSWORD } });
const [name = '', addition = ''] = process.argv.slice(2);

const MOST_TRIES = 20;

async function change(): Promise<number> {
  for (let tries = 1; ; tries += 1) {
    const { config } = await ml.call('getMcpConnection', { params: { name } });
    try {
      const description = `${config.description ?? ''} ${addition}`.trim();
      const changed = await ml.call('updateMcpConnection', { body: { name, description }, ifMatch: config.version });
      return changed.config.version;
    } catch (error) {
      const isOvertaken = isFailure(error, 'version_conflict');
      if (!isOvertaken || tries === MOST_TRIES) throw error;
    }
  }
}

console.log(`${name} has version ${await change()} now`);
