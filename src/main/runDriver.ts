import { createTrailState } from '../app/dependencies/auditTrail.ts';
import { waitAtMost } from '../app/dependencies/background.ts';
import { enforceTlsVerification } from '../app/dependencies/outboundPolicy.ts';
import { newId, splunkds } from '../app/dependencies/splunkd.ts';
import { schemaChecks } from '../app/gateway/schemaChecks.ts';
import { driverInfo } from '../app/request/driverInfo.ts';
import { requestScopes } from '../app/request/requestScope.ts';
import { stderrLog } from '../app/stderrLog.ts';
import { errorName } from '../contract/basics.ts';
import type { CompiledContract } from '../contract/rows/compiled.ts';
import { ProtocolError } from '../driver/packets.ts';
import { serveFrames } from '../driver/serve.ts';
import type { Log } from '../ports/platform/log.ts';
import type { Settings } from '../ports/stores/settings.ts';
import { type PipelineOptions, pipeline } from '../rest/pipeline.ts';
import type { RestRequest } from '../rest/request.ts';
import type { Admission, RequestScope } from '../rest/requestScope.ts';

const LAST_EVENTS_MS = 2000;
const LAST_WRITES_MS = 2000;

/** Parts of the scopes of requests. */
interface DriverParts {
  scopes: ReturnType<typeof requestScopes>;
  settingsFor(request: RestRequest): Settings;
  log: Log;
}

interface Serving<S extends RequestScope> extends Pick<PipelineOptions<S>, 'scope' | 'finish'> {
  /** Writes what the process still holds, at a clean end. Never rejects. */
  end?(): Promise<void>;
}

/**
 * Serves the endpoints of a contract: frames on stdin and stdout until stdin ends.
 * @param admit default: a slot of `[outbound] max_waiting` for each request that calls upstreams
 */
export async function runDriver<S extends RequestScope>(
  contract: CompiledContract,
  serving: (parts: DriverParts) => Serving<S>,
  admit?: (settings: Settings) => Admission,
): Promise<void> {
  enforceTlsVerification();
  const log = stderrLog();
  const trail = createTrailState();
  const { app, counting } = driverInfo(contract.version);
  const splunkd = splunkds(log, trail.background.defer, admit);
  const { plans, stored } = contract;
  const scopes = requestScopes({ splunkd, app, plans, stored, trail, schemas: schemaChecks() });
  const settingsFor = ({ serverUri, serverId, systemToken = '' }: RestRequest) =>
    splunkd({ serverUri, serverId, systemToken }).settings;
  const { end = async () => {}, ...serves } = serving({ scopes, settingsFor, log });
  const pipe = pipeline<S>({
    rows: contract.rows,
    ...serves,
    log,
    newId,
    strictReplies: process.env.ML_STRICT_REPLIES === '1',
  });
  // The reply is written before the next turn of the event loop.
  const serve = (request: RestRequest) =>
    pipe(request).finally(() => setImmediate(() => trail.background.startDeferred()));

  // Background errors of a handler must not end the process.
  process.on('uncaughtException', (error) =>
    log.error('uncaught', { cause: String(error?.stack?.split('\n')[1]).trim() }),
  );
  process.on('unhandledRejection', (error) => log.error('unhandled', { cause: errorName(error) }));
  // splunkd has gone.
  process.stdout.on('error', () => process.exit(0));
  process.on('SIGTERM', () => void waitAtMost(LAST_WRITES_MS, end()).then(() => process.exit(0)));

  try {
    const streams = { input: process.stdin, output: process.stdout };
    process.exitCode = await serveFrames(streams, counting(serve), { log, newId });
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    process.stderr.write(`protocol error: ${error.message}\n`);
    process.exitCode = 1;
  }
  await waitAtMost(LAST_WRITES_MS, end());
  await trail.background.drain(LAST_EVENTS_MS);
  // Open keep-alive connections must not delay the exit.
  process.exit();
}
