import { isObject, type Json } from '../../../contract/basics.ts';
import { Fault } from '../../../contract/codes/faults.ts';
import { OutboundError } from '../../../contract/codes/outbound.ts';
import { stringifyWellFormed } from '../../../contract/exactJson.ts';
import { redact } from '../../../domain/net/redact.ts';
import { codeForStatus } from '../../../domain/net/upstreamErrors.ts';
import { checkBody, type Outgoing } from '../../../masking/checkedBody.ts';
import type { EmbeddedDocument } from '../../../ports/knowledge/documents.ts';
import type { Deadline } from '../../../ports/platform/clock.ts';
import { type PassageTable, type WriteFailure, type WrittenPassage, writtenPassages } from '../external/passages.ts';
import { metadataProblem } from './fits.ts';
import { assertLength, type Mapping, readMapping } from './mapping.ts';
import type { IndexDetails, SearchServer } from './server.ts';

/** Bytes of an entry's id at most, in UTF-8. */
const LONGEST_ID = 512;
const BULK = '_bulk?refresh=true';

interface Index {
  server: SearchServer;
  details: IndexDetails;
  mapping: Mapping;
  deadline: Deadline;
  hidden: readonly string[];
}

/** An index, as documents are written into it. @throws Fault `kb_not_found`, `configuration_invalid`; OutboundError */
export async function openIndex(
  server: SearchServer,
  details: IndexDetails,
  hidden: readonly string[],
  deadline: Deadline,
): Promise<PassageTable> {
  const mapping = await readMapping(server, details, deadline);
  const index = { server, details, mapping, deadline, hidden };
  return {
    present: (keys) => present(index, keys),
    replace: (document, others) => replaceEntries(index, document, others),
    async remove(keys) {
      if (keys.length === 0) return;
      const failed = await bulk(index, keys.map(deletion));
      if (failed) throw new OutboundError(failed.code, `The index did not delete a passage: ${failed.reason}`);
    },
  };
}

async function present({ server, deadline }: Index, keys: readonly string[]): Promise<ReadonlySet<string>> {
  const fitting = keys.filter((key) => Buffer.byteLength(key) <= LONGEST_ID);
  if (fitting.length === 0) return new Set();
  const { docs } = await server.ask('_mget?_source=false', deadline, { ids: fitting });
  const there = Array.isArray(docs) ? docs.filter(isObject).filter((doc) => doc.found === true) : [];
  return new Set(there.map(({ _id }) => String(_id)));
}

/** One request, which the server takes as a whole or not at all; it is shown to searches when all of it is written. */
async function replaceEntries(
  index: Index,
  document: Outgoing<EmbeddedDocument>,
  others: readonly string[],
): Promise<WriteFailure | undefined> {
  const { details, mapping } = index;
  const passages = writtenPassages(document);
  for (const { vector } of passages) assertLength(mapping, details, vector);
  const problem = metadataProblem(document.metadata, details, mapping) ?? longKeyProblem(passages);
  if (problem) return { code: 'bad_request', message: problem };
  const lines = passages.map((passage) => [
    stringifyWellFormed({ index: { _id: passage.key } }),
    stringifyWellFormed(entryOf(details, document, passage)),
  ]);
  checkBody(document, () => lines.join('\n'));
  const failed = await bulk(index, [...lines.flat(), ...others.map(deletion)]);
  if (!failed) return undefined;
  const message = `The index did not take a passage, and may have others of the document: ${failed.reason}. Write it again`;
  if (failed.code !== 'bad_request') throw new OutboundError(failed.code, message);
  return { code: 'bad_request', message, isPartial: true };
}

const deletion = (key: string): string => stringifyWellFormed({ delete: { _id: key } });

const longKeyProblem = (passages: readonly WrittenPassage[]): string | undefined =>
  passages.some(({ key }) => Buffer.byteLength(key) > LONGEST_ID)
    ? `The id is too long for an index: with the number of a passage it may have ${LONGEST_ID} bytes`
    : undefined;

function entryOf(details: IndexDetails, { id, metadata }: EmbeddedDocument, { text, vector }: WrittenPassage): Json {
  const { id_field, text_field, vector_field, metadata_field } = details;
  return {
    ...(metadata_field ? { [metadata_field]: metadata } : metadata),
    ...(id_field ? { [id_field]: id } : {}),
    [text_field]: text,
    [vector_field]: [...vector],
  };
}

interface ItemFailure {
  code: OutboundError['code'];
  reason: string;
}

/** @returns the first item that failed; what should be deleted and is not there is fine */
async function bulk({ server, deadline, hidden }: Index, lines: readonly string[]): Promise<ItemFailure | undefined> {
  const answer = await server.ask(BULK, deadline, `${lines.join('\n')}\n`);
  if (answer.errors !== true) return undefined;
  const items = Array.isArray(answer.items) ? answer.items : [];
  for (const item of items) {
    const [result] = isObject(item) ? Object.values(item) : [];
    if (!isObject(result) || !isObject(result.error)) continue;
    const reason = redact(String(result.error.reason ?? 'no reason given'), hidden);
    return { code: codeForStatus(Number(result.status)), reason };
  }
  throw new Fault('upstream_error', 'The server says that items failed, but not which');
}
