import { systemClock } from '../app/clock.ts';
import { healthApi } from '../app/healthApi.ts';
import { serveProcess } from '../search/command.ts';
import { mlHealthCommand } from '../search/mlHealth.ts';

/** `| mlhealth`: started by splunkd as `bin/mlhealth.sh`. */
await serveProcess(mlHealthCommand({ health: healthApi, clock: systemClock }));
