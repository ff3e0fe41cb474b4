import { systemClock } from '../app/dependencies/clock.ts';
import { searchModels } from '../app/dependencies/models/searchModels.ts';
import { agentsApi, catalogueApi, gatewayApi, healthApi, runsApi, usageApi } from '../app/dependencies/ownApi.ts';
import { serveProcess } from '../search/serve.ts';
import { commands } from '../search/table.ts';

/** A search command; `bin/<name>.sh` passes its name. */
const command = commands.find(({ name }) => name === process.argv[2]);
if (command === undefined) throw new Error(`no search command is called ${process.argv[2]}`);
await serveProcess(command, {
  agents: agentsApi,
  health: healthApi,
  usage: usageApi,
  gateway: gatewayApi,
  models: searchModels,
  runs: runsApi,
  catalogue: catalogueApi,
  clock: systemClock,
});
