import { join, resolve } from 'node:path';
import { runCommand } from '../../platform/src/runCommand.ts';
import { makeExamples } from './examples.ts';
import { startPeers } from './peers/peers.ts';
import { DemoRecord } from './record.ts';
import { Site } from './site.ts';
import { tour } from './tour.ts';

const HOME = '.platform-demo';
/** Containers of the scripted engine. */
const ENGINE_FILE = 'demo-engine.json';
/** Where the scripted servers listen, if the port is free. */
const PEERS_PORT = 8790;

/** Runs the platform with examples and their scripted servers, all in this process. */
export async function runDemo(): Promise<void> {
  process.env.ML_HOME ||= HOME;
  const home = resolve(process.env.ML_HOME);
  const record = DemoRecord.open(home);
  process.env.ML_ADMIN_PASSWORD ||= record.password;
  const password = process.env.ML_ADMIN_PASSWORD;
  const port = await startPeers(record.port ?? PEERS_PORT, join(home, ENGINE_FILE));
  runCommand(async ({ url, web }) => {
    await makeExamples(new Site(url, 'admin', password), record, port);
    process.stdout.write(tour({ home, url, web, password }));
  });
}
