/**
 * The log of a model's container as it grows, until you press Ctrl-C or the container is stopped.
 *
 *   ML_URL=https://localhost:8089 ML_USER=admin ML_PASSWORD=… node followLog.ts <model>
 */
import { followLog, isFailure, MlExtension } from 'ml-extension-client';

const { ML_URL = 'https://localhost:8089', ML_USER = 'admin', ML_PASSWORD = '' } = process.env;
const ml = new MlExtension({ baseUrl: ML_URL, auth: { username: ML_USER, password: ML_PASSWORD } });
const [model = ''] = process.argv.slice(2);

const stopping = new AbortController();
process.once('SIGINT', () => stopping.abort());

try {
  for await (const { _time, log } of followLog(ml, model, { signal: stopping.signal })) console.log(`${_time} ${log}`);
} catch (error) {
  if (isFailure(error)) {
    console.error(`${error.message}\n${error.remedy}`);
    process.exitCode = 1;
  } else if (!stopping.signal.aborted) throw error;
}
