import { type Site, unlessThere } from './site.ts';

const INDEX = 'os';
/** The search tool that the agent has. */
export const SEARCH_TOOL = 'host_load';

/** Percent of cpu, memory and disk, as monitoring would have sent them. */
const READINGS: Readonly<Record<string, readonly (readonly [cpu: number, memory: number, disk: number])[]>> = {
  'db-3': [
    [41, 70, 91],
    [44, 71, 92],
    [39, 72, 94],
  ],
  'web-1': [
    [63, 58, 70],
    [91, 64, 71],
    [88, 63, 71],
  ],
  'web-2': [
    [22, 49, 38],
    [25, 50, 38],
    [24, 51, 38],
  ],
};

/** Sends the events that the search tool finds. */
export async function sendLoad(site: Site): Promise<void> {
  await site.makeIndex(INDEX);
  for (const [host, readings] of Object.entries(READINGS)) {
    for (const [cpu, memory, disk] of readings) {
      await site.receive({ index: INDEX, host, sourcetype: 'demo:load' }, `cpu=${cpu} memory=${memory} disk=${disk}`);
    }
  }
}

/** Publishes a search with an argument. @param acl who may call it */
export async function publishSearch(site: Site, acl: { sharing: 'app'; perms: { read: string[]; write: string[] } }) {
  await unlessThere(
    site.app.call('createSearchTool', {
      body: {
        ...{
          name: SEARCH_TOOL,
          description: 'Load of a host in the last 30 days: cpu, memory and disk in percent',
          acl,
        },
        search: `search index=${INDEX} host="$host$" | stats count as readings max(cpu) as cpu max(memory) as memory max(disk) as disk by host`,
        arguments: [
          { name: 'host', type: 'string', description: 'Name of the host, such as db-3; * for all', wildcards: true },
        ],
        earliest: '-30d',
      },
    }),
  );
  // A check of health runs no search.
  await site.app.call('testSearchTool', { body: { name: SEARCH_TOOL, values: { host: 'db-3' } } });
}
