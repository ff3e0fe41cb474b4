import { createHash } from 'node:crypto';
import { inOrder } from '../../domain/canonical.ts';
import type { Stores } from '../../domain/sealed.ts';
import type { McpTool } from '../../ports/mcpClient.ts';
import type { Doc, RecordStore } from '../../ports/recordStore.ts';
import { FAMILY, type McpStored } from './records.ts';

const COLLECTION = 'ml_mcp_listings';

interface Print {
  name: string;
  print: string;
}

/** The last successful listing of a saved record; apart from it, since it can be large and reads do not need it. */
interface Listing extends Doc {
  /** Tells a listing of an earlier connection of the same name from one of this. */
  created_at: number;
  tools: Print[];
}

export interface Drift {
  added: string[];
  removed: string[];
  changed: string[];
}

/** The names of a listing, for checking that a tool exists. */
export async function listedTools(records: RecordStore, record: McpStored): Promise<string[] | undefined> {
  return (await lastListing(records, record))?.tools.map((tool) => tool.name);
}

async function lastListing(records: RecordStore, record: McpStored): Promise<Listing | undefined> {
  const listing = await records.get<Listing>(COLLECTION, record._key);
  return listing?.created_at === record.created_at ? listing : undefined;
}

/** What has changed since the last listing; nothing at the first. With `keep` this listing becomes the next base. */
export async function drift(
  records: RecordStore,
  record: McpStored,
  tools: readonly McpTool[],
  keep: boolean,
): Promise<Drift> {
  const before = await lastListing(records, record);
  const now = tools.map((tool) => ({ name: tool.name, print: fingerprint(tool) }));
  const result = before ? compare(before.tools, now) : { added: [], removed: [], changed: [] };
  const moved = result.added.length + result.removed.length + result.changed.length > 0;
  if (keep && (!before || moved)) {
    const listing: Listing = { _key: record._key, created_at: record.created_at, tools: now };
    // Two listings at once: either is a valid base, so the last one wins.
    if (!(await records.replace(COLLECTION, listing))) await records.insert(COLLECTION, listing);
  }
  return result;
}

export async function forgetListing({ records, log }: Pick<Stores, 'records' | 'log'>, key: string): Promise<void> {
  await records.remove(COLLECTION, key).catch(() => {
    // A later connection of this name does not take it for its own: the listing carries its record's birth.
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

/** Name, description and input schema, whatever the order of keys. */
function fingerprint({ name, description, input_schema }: McpTool): string {
  const text = JSON.stringify(inOrder({ name, description, input_schema: input_schema ?? null }));
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
