import { systemClock } from '../app/dependencies/clock.ts';
import { alertsApi } from '../app/dependencies/ownApi.ts';
import { runAlert, TOTAL_MS } from '../search/alert/runAlert.ts';

// A reader that has gone must not end the hand-over.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

/** The alert action, as `bin/ml_agent.sh` starts it. */
const code = await runAlert(process.argv.slice(2), process.stdin, {
  api: alertsApi,
  clock: systemClock,
  home: process.env.SPLUNK_HOME,
  write: (to, line) => void process[to].write(`${line}\n`),
  totalMs: TOTAL_MS,
});
// An open connection, or a gateway that is silent, must not delay the end.
process.exit(code);
