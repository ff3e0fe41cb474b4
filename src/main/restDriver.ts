import { contract } from '#contract';
import { SplunkdClient } from '../adapters/splunkd/client.ts';
import { RoleDefinitions } from '../adapters/splunkd/roles.ts';
import { SettingsCache } from '../adapters/splunkd/settings.ts';
import { ProtocolError } from '../driver/packets.ts';
import { serveFrames } from '../driver/serve.ts';
import { pipeline } from '../rest/pipeline.ts';
import type { RestRequest } from '../rest/request.ts';
import { cloudPeers } from './cloudPeers.ts';
import { cloudServices } from './cloudServices.ts';
import { containerPeers } from './containerPeers.ts';
import { llmPeers } from './llmPeers.ts';
import { mcpPeers } from './peers.ts';
import { stderrLog } from './stderrLog.ts';
import { verifyAlways } from './verifyAlways.ts';
import { splunkdWorld } from './world.ts';

/** The REST driver: started by splunkd as `bin/ml_rest.sh`, speaks frames on stdin and stdout, ends with stdin. */
verifyAlways();
const log = stderrLog();
const clients = new Map<string, SplunkdClient>();
const settingsCache = new SettingsCache();
const roleDefinitions = new RoleDefinitions();
const newId = () => globalThis.crypto.randomUUID();
let requests = 0;

function client(serverUri: string): SplunkdClient {
  let known = clients.get(serverUri);
  if (!known) {
    known = new SplunkdClient(serverUri);
    clients.set(serverUri, known);
  }
  return known;
}

async function openApi(): Promise<Record<string, unknown>> {
  const { readFile } = await import('node:fs/promises');
  return JSON.parse(await readFile(new URL('./openapi.json', import.meta.url), 'utf8'));
}

function driver() {
  return {
    pid: process.pid,
    runtime: `node ${process.versions.node}`,
    uptime_s: Math.round(process.uptime() * 10) / 10,
    memory_bytes: process.memoryUsage.rss(),
    requests,
  };
}

const serve = pipeline({
  rows: contract.rows,
  world: (request) =>
    splunkdWorld(
      {
        contract,
        client,
        settingsCache,
        roleDefinitions,
        log,
        newId,
        mcpPeers,
        llmPeers,
        home: process.env.SPLUNK_HOME,
        cloudPeers,
        containerPeers,
        cloudServices,
        service: { driver, openApi },
      },
      request,
    ),
  log,
  newId,
  strictReplies: process.env.ML_STRICT_REPLIES === '1',
});

// Whatever a handler leaves behind, this process goes on answering; the stack tells where it was.
process.on('uncaughtException', (error) =>
  log.error('uncaught', { cause: String(error?.stack?.split('\n')[1]).trim() }),
);
process.on('unhandledRejection', (error) =>
  log.error('unhandled', { cause: error instanceof Error ? error.name : typeof error }),
);
// splunkd has gone away: nobody reads frames any more.
process.stdout.on('error', () => process.exit(0));
process.on('SIGTERM', () => process.exit(0));

try {
  const streams = { input: process.stdin, output: process.stdout };
  const counted = (request: RestRequest) => {
    requests += 1;
    return serve(request);
  };
  process.exitCode = await serveFrames(streams, counted, { log, newId });
} catch (error) {
  if (!(error instanceof ProtocolError)) throw error;
  process.stderr.write(`protocol error: ${error.message}\n`);
  process.exitCode = 1;
}
// Kept connections must not hold a driver whose stdin has ended.
process.exit();
