import { agentsApi } from '../app/agentsApi.ts';
import { systemClock } from '../app/clock.ts';
import { agentStatusCommand } from '../search/agentStatus.ts';
import { serveProcess } from '../search/command.ts';

/** `| agentstatus`: started by splunkd as `bin/agentstatus.sh`. */
await serveProcess(agentStatusCommand({ agents: agentsApi, clock: systemClock }));
