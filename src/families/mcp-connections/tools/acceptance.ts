import type { Drift } from '../../../domain/records/connectionHealth.ts';
import { uniqueBy } from '../../../domain/values/lists.ts';
import { shortName } from '../../../domain/values/texts.ts';
import type { McpListing, McpTool } from '../../../ports/mcp/mcpClient.ts';
import type { Target } from '../../../resources/target.ts';
import { drift, NO_DRIFT } from '../calls/drift.ts';
import { isStillAt } from '../calls/testing.ts';
import type { McpConnections } from '../kind.ts';
import type { McpStored, UnacceptedTools } from '../records.ts';
import { discardBatches, readDefinitions, storeDefinitions, sweepBatches } from './batches.ts';
import {
  type Definition,
  type ExaminedTool,
  examine,
  isAcceptedBy,
  maskedDefinition,
  type ToolFlag,
} from './definitions.ts';
import { isAccepted } from './toolUse.ts';

/** The tools of a complete or truncated listing, compared with what is accepted. */
export interface Comparison {
  /** The record with its acceptance; undefined for a listing of unsaved details. */
  record: McpStored | undefined;
  tools: readonly ExaminedTool[];
}

/**
 * Compares a listing with the accepted tools. The first listing of a saved connection accepts its tools, except flagged ones.
 * @throws Fault `store_unavailable`
 */
export async function compareListing(
  connections: McpConnections,
  target: Target<McpStored>,
  listing: McpListing,
): Promise<Comparison> {
  const tools = listing.tools.map(examine);
  const { saved } = target;
  if (!saved || saved.acceptance !== undefined) return { record: saved, tools };
  return { record: await acceptFirst(connections, target, saved, tools), tools };
}

/** Tools that the first listing accepts. Of two tools of one name the first counts. */
export const unflagged = (tools: readonly ExaminedTool[]): ExaminedTool[] =>
  firstOfEachName(tools).filter(({ flags }) => flags.length === 0);

export const firstOfEachName = (tools: readonly ExaminedTool[]): ExaminedTool[] =>
  uniqueBy(tools, ({ tool }) => tool.name);

/** The definitions come first and the reference to them last, so that a crash leaves nothing or everything accepted. */
async function acceptFirst(
  connections: McpConnections,
  target: Target<McpStored>,
  saved: McpStored,
  tools: readonly ExaminedTool[],
): Promise<McpStored | undefined> {
  const { sealed, stores } = connections;
  const accepted_tools = await storeDefinitions(stores, saved, unflagged(tools), target.hidden);
  const first = { acceptance: stores.newId(), accepted_tools };
  const isFirst = (now: McpStored) =>
    now.acceptance === undefined && now.created_at === saved.created_at && isStillAt(now, target);
  const record = await sealed.amend(saved._key, async (now) => (isFirst(now) ? { open: first } : undefined));
  if (record?.acceptance === first.acceptance) sweepLater(connections, saved._key);
  else await discardBatches(stores.records, accepted_tools);
  return record?.created_at === saved.created_at ? record : undefined;
}

/** Removes definitions that are no longer referred to, after the reply. */
export function sweepLater({ sealed, stores }: McpConnections, key: string): void {
  const read = () => stores.records.get<McpStored>(sealed.spec.collection, key);
  stores.defer(`accepted_tools.${key}`, () => sweepBatches(stores, key, read));
}

/** Notes drift and unaccepted tools of a listing. An incomplete one cannot show removed tools and is not noted. */
export async function noteListing(
  { stores: { records } }: McpConnections,
  { saved }: Target<McpStored>,
  listing: McpListing,
  compared: Comparison,
): Promise<Drift> {
  if (!saved) return NO_DRIFT;
  const isComplete = listing.truncated === undefined;
  const changes = await drift(records, saved, listing.tools, isComplete, unacceptedIn(compared));
  return isComplete ? changes : { ...changes, removed: [] };
}

export function unacceptedIn({ record, tools }: Comparison): UnacceptedTools | undefined {
  if (record?.acceptance === undefined) return undefined;
  return {
    acceptance: record.acceptance,
    tools: namesOf(tools, (entry) => !isAccepted(record, entry)),
  };
}

export const acceptedIn = ({ record, tools }: Comparison): string[] =>
  namesOf(tools, (entry) => isAccepted(record, entry));

const namesOf = (tools: readonly ExaminedTool[], keep: (tool: ExaminedTool) => boolean): string[] => [
  ...new Set(tools.filter(keep).map(({ tool }) => shortName(tool.name))),
];

export interface ToolMarks {
  accepted?: boolean;
  fingerprint?: string;
  change?: { before: Partial<Definition>; after: Definition };
  flags?: ToolFlag[];
}

/** Marks of each tool's acceptance, in the order of the listing. */
export async function marksOf(
  { stores: { records } }: McpConnections,
  { hidden }: Target<McpStored>,
  { record, tools }: Comparison,
): Promise<ToolMarks[]> {
  const entries = new Map(record?.accepted_tools?.map((entry) => [entry.name, entry]));
  const changed = tools.flatMap(({ tool, fingerprint }) => {
    const entry = entries.get(tool.name);
    return entry && !isAcceptedBy(entry, { tool, fingerprint }) ? [entry] : [];
  });
  const before = await readDefinitions(records, changed);
  const changeOf = (tool: McpTool) => ({ before: before.get(tool.name) ?? {}, after: maskedDefinition(tool, hidden) });
  return tools.map(({ tool, fingerprint, flags }) => {
    const entry = entries.get(tool.name);
    const accepted = entry !== undefined && isAcceptedBy(entry, { tool, fingerprint });
    return {
      ...(record ? { accepted, fingerprint } : {}),
      ...(entry && !accepted ? { change: changeOf(tool) } : {}),
      ...(flags.length > 0 ? { flags } : {}),
    };
  });
}
