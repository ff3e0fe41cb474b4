import { withNumbers } from '../../../contract/exactJson.ts';
import { hasMatch } from '../../../domain/locks/replaceExisting.ts';
import type { Drift } from '../../../domain/records/connectionHealth.ts';
import type { Stores } from '../../../domain/records/sealedRecord.ts';
import { isSameValue, sortKeysDeep } from '../../../domain/values/json.ts';
import { shortName } from '../../../domain/values/texts.ts';
import type { McpTool } from '../../../ports/mcp/mcpClient.ts';
import type { RecordStore } from '../../../ports/stores/recordStore.ts';
import {
  FAMILY,
  MCP_CONNECTIONS,
  MCP_LISTINGS,
  type McpStored,
  type Print,
  type ToolListing,
  type UnacceptedTools,
} from '../records.ts';

export const NO_DRIFT: Drift = { added: [], removed: [], changed: [] };

type ListedConnection = Pick<McpStored, '_key' | 'created_at'>;

/** Tool names of the last listing. */
export async function listedTools(records: RecordStore, record: ListedConnection): Promise<string[] | undefined> {
  return (await lastListing(records, record))?.tools.map((tool) => tool.name);
}

async function lastListing(records: RecordStore, record: ListedConnection): Promise<ToolListing | undefined> {
  const listing = await records.get<ToolListing>(MCP_LISTINGS, record._key);
  return listing?.created_at === record.created_at ? listing : undefined;
}

/**
 * The changes since the last listing.
 * @param keep stores this listing as the next base
 * @param unaccepted noted with it, for health
 */
export async function drift(
  records: RecordStore,
  record: McpStored,
  tools: readonly McpTool[],
  keep: boolean,
  unaccepted?: UnacceptedTools,
): Promise<Drift> {
  const before = await lastListing(records, record);
  const now = tools.map(printOf);
  const result = before ? compare(before.tools, now) : NO_DRIFT;
  const isNews =
    !before ||
    !isSame(result, NO_DRIFT) ||
    !isSame(result, before.drift) ||
    !isSameValue(unaccepted, before.unaccepted);
  if (keep && isNews) {
    const { _key, created_at } = record;
    const listing: ToolListing = { _key, created_at, tools: now, drift: result, ...(unaccepted && { unaccepted }) };
    await keepListing(records, listing);
  }
  return result;
}

/** Stores a listing, unless its connection was removed meanwhile: whoever removes one removes its listing after it. */
async function keepListing(records: RecordStore, listing: ToolListing): Promise<void> {
  const { _key, created_at } = listing;
  // Either of two concurrent listings is a valid base.
  if (!(await records.replace(MCP_LISTINGS, listing))) await records.insert(MCP_LISTINGS, listing);
  if (!(await hasMatch(records, MCP_CONNECTIONS, { _key, created_at })))
    await records.remove(MCP_LISTINGS, _key, { created_at });
}

/**
 * Records the changes since the last listing, which stays the base until the tools are listed again.
 * @param list called only if there is a base; undefined if the listing failed
 */
export async function noteDrift(
  records: RecordStore,
  record: McpStored,
  list: () => Promise<{ tools: readonly McpTool[]; unaccepted?: UnacceptedTools | undefined } | undefined>,
): Promise<void> {
  const listed = (await lastListing(records, record)) && (await list());
  // Read again, since a concurrent listing may have replaced the base.
  const before = listed && (await lastListing(records, record));
  if (!before) return;
  const drift = compare(before.tools, listed.tools.map(printOf));
  const { unaccepted = before.unaccepted } = listed;
  if (isSame(drift, before.drift) && isSameValue(unaccepted, before.unaccepted)) return;
  await keepListing(records, { ...before, drift, ...(unaccepted && { unaccepted }) });
}

/** Changes that were last noted for the tools of a connection; none before its first listing. */
interface NotedChanges {
  drift?: Drift | undefined;
  unaccepted?: string[] | undefined;
}

/** The last recorded changes of each connection. */
export async function notedChanges(records: RecordStore): Promise<(record: McpStored) => NotedChanges> {
  const noted = new Map<string, Omit<ToolListing, 'tools'>>();
  const fields = ['created_at', 'drift', 'unaccepted'];
  for await (const chunk of records.chunks<ToolListing>(MCP_LISTINGS, { fields }))
    for (const listing of chunk) noted.set(listing._key, listing);
  return ({ _key, created_at, acceptance }) => {
    const listing = noted.get(_key);
    if (listing?.created_at !== created_at) return {};
    const { drift = NO_DRIFT, unaccepted } = listing;
    // A later acceptance has not been compared yet.
    return { drift, unaccepted: unaccepted?.acceptance === acceptance ? unaccepted?.tools : undefined };
  };
}

/** Whether a listing has shown, here or in another process, that a tool is no longer the accepted one. */
export async function isNotedAsChanged(
  records: RecordStore,
  { _key, created_at, acceptance }: Pick<McpStored, '_key' | 'created_at' | 'acceptance'>,
  tool: string,
): Promise<boolean> {
  const fields = ['created_at', 'unaccepted'];
  const [listing] = await records.find<ToolListing>(MCP_LISTINGS, { query: { _key }, fields });
  const { unaccepted } = listing?.created_at === created_at ? listing : {};
  return unaccepted !== undefined && unaccepted.acceptance === acceptance && unaccepted.tools.includes(shortName(tool));
}

const isSame = (now: Drift, { added, removed, changed }: Drift = NO_DRIFT): boolean =>
  JSON.stringify([now.added, now.removed, now.changed]) === JSON.stringify([added, removed, changed]);

export async function forgetListing({ records, log }: Pick<Stores, 'records' | 'log'>, key: string): Promise<void> {
  await records.remove(MCP_LISTINGS, key).catch(() => {
    // A later connection of this name ignores it, since created_at differs.
    log.warn('listing_left', { family: FAMILY });
  });
}

function compare(before: readonly Print[], now: readonly Print[]): Drift {
  const old = new Map(before.map((tool) => [tool.name, tool.print]));
  const current = new Map(now.map((tool) => [tool.name, tool.print]));
  const names = [...current.keys()];
  return {
    added: names.filter((name) => !old.has(name)),
    removed: [...old.keys()].filter((name) => !current.has(name)),
    changed: names.filter((name) => old.has(name) && old.get(name) !== current.get(name)),
  };
}

/** A long name is cut, since a document of the store has to hold the names of a listing several times. */
const printOf = (tool: McpTool): Print => ({ name: shortName(tool.name), print: fingerprint(tool) });

/** Hash of name, description and input schema. */
function fingerprint({ name, description, input_schema }: McpTool): string {
  const text = JSON.stringify(withNumbers(sortKeysDeep({ name, description, input_schema: input_schema ?? null })));
  // Needed for a listing only, and the module is loaded with every request of the family.
  const { createHash } = process.getBuiltinModule('node:crypto');
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
