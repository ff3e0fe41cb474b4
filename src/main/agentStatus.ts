import { agentsApi } from '../app/agentsApi.ts';
import { systemClock } from '../app/clock.ts';
import { agentStatusCommand } from '../search/agentStatus.ts';
import { serveCommand } from '../search/command.ts';

/** `| agentstatus`: started by splunkd as `bin/agentstatus.sh`, speaks chunks on stdin and stdout, nothing on stderr. */
const command = agentStatusCommand({ agents: agentsApi, clock: systemClock });

// The search is cancelled or nobody reads its rows any more: an answer that is under way does not matter.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => process.exit(0));
process.stdout.on('error', () => process.exit(0));

process.exit(await serveCommand({ input: process.stdin, output: process.stdout }, command));
