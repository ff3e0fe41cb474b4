import { parseExact, stringifyExact } from '../../../contract/exactJson.ts';
import type { Stores } from '../../../domain/records/sealedRecord.ts';
import type { RecordStore } from '../../../ports/stores/recordStore.ts';
import { type AcceptedBatch, type AcceptedTool, FAMILY, MCP_ACCEPTED, type McpStored } from '../records.ts';
import { type Definition, type ExaminedTool, maskedDefinition, titlePrint } from './definitions.ts';

/** One document holds several definitions, so that accepting all tools of a server takes few writes. */
const MAX_BATCH_BYTES = 1_048_576;
/** Longer than a write waits for the lease of its record: a younger batch may still get its reference. */
const MAX_WRITE_MS = 60_000;

type Owner = Pick<McpStored, '_key' | 'created_at'>;

/**
 * Stores definitions as batches that no record refers to yet. A crash leaves them to `sweepBatches`.
 * @returns the entries with which the record refers to them
 */
export async function storeDefinitions(
  { records, clock, newId }: Pick<Stores, 'records' | 'clock' | 'newId'>,
  { _key: connection, created_at }: Owner,
  tools: readonly ExaminedTool[],
  secrets: readonly string[],
): Promise<AcceptedTool[]> {
  const entries: AcceptedTool[] = [];
  let texts: string[] = [];
  let key = newId();
  let bytes = 0;
  const flush = async () => {
    if (texts.length === 0) return;
    const written_at = clock.now() / 1000;
    const definitions = `[${texts.join()}]`;
    await records.insert<AcceptedBatch>(MCP_ACCEPTED, { _key: key, connection, created_at, written_at, definitions });
    [texts, key, bytes] = [[], newId(), 0];
  };
  for (const { tool, fingerprint } of tools) {
    const text = stringifyExact([tool.name, maskedDefinition(tool, secrets)]);
    const size = Buffer.byteLength(text);
    if (bytes + size > MAX_BATCH_BYTES) await flush();
    texts.push(text);
    bytes += size;
    const title = titlePrint(tool);
    entries.push({ name: tool.name, fingerprint, ...(title === undefined ? {} : { title }), batch: key });
  }
  await flush();
  return entries;
}

/** The definitions of accepted tools, by name. */
export async function readDefinitions(
  records: RecordStore,
  entries: readonly AcceptedTool[],
): Promise<Map<string, Definition>> {
  const definitions = new Map<string, Definition>();
  for (const key of batchesOf(entries)) {
    const batch = await records.get<AcceptedBatch>(MCP_ACCEPTED, key);
    const names = new Set(entries.filter((entry) => entry.batch === key).map(({ name }) => name));
    for (const [name, definition] of parseExact(batch?.definitions ?? '[]') as [string, Definition][])
      if (names.has(name)) definitions.set(name, definition);
  }
  return definitions;
}

/** Removes batches that no record refers to. */
export async function discardBatches(records: RecordStore, entries: readonly AcceptedTool[]): Promise<void> {
  for (const key of batchesOf(entries)) await records.remove(MCP_ACCEPTED, key);
}

const batchesOf = (entries: readonly AcceptedTool[]): string[] => [...new Set(entries.map(({ batch }) => batch))];

/**
 * Removes batches that the record no longer refers to, those of earlier records of its name among them.
 * @param read reads the record again; undefined if it was deleted
 */
export async function sweepBatches(
  { records, clock, log }: Pick<Stores, 'records' | 'clock' | 'log'>,
  connection: string,
  read: () => Promise<McpStored | undefined>,
): Promise<void> {
  try {
    const batches = await records.find<AcceptedBatch>(MCP_ACCEPTED, {
      query: { connection },
      fields: ['connection', 'created_at', 'written_at'],
    });
    // Read after the batches: a reference that was set in between counts.
    const record = await read();
    const used = new Set(batchesOf(record?.accepted_tools ?? []));
    const end = (clock.now() - MAX_WRITE_MS) / 1000;
    for (const { _key, written_at } of batches)
      if (!used.has(_key) && written_at < end) await records.remove(MCP_ACCEPTED, _key);
  } catch {
    log.warn('accepted_tools_left', { family: FAMILY });
  }
}

/** Removes the batches of a deleted record. */
export async function forgetBatches(
  { records, log }: Pick<Stores, 'records' | 'log'>,
  { _key: connection, created_at }: Owner,
): Promise<void> {
  try {
    const fields = ['connection', 'created_at'];
    const batches = await records.find<AcceptedBatch>(MCP_ACCEPTED, { query: { connection }, fields });
    // A later connection of this name may have accepted its tools already.
    for (const batch of batches) if (batch.created_at === created_at) await records.remove(MCP_ACCEPTED, batch._key);
  } catch {
    // A later connection of this name ignores them and removes them.
    log.warn('accepted_tools_left', { family: FAMILY });
  }
}
