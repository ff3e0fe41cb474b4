import { isObject, type Json } from '../../../contract/basics.ts';
import { OutboundError } from '../../../contract/codes/outbound.ts';
import { checkBody, type Outgoing } from '../../../masking/checkedBody.ts';
import type { EmbeddedDocument } from '../../../ports/knowledge/documents.ts';
import type { Deadline } from '../../../ports/platform/clock.ts';
import { type PassageTable, type WriteFailure, type WrittenPassage, writtenPassages } from '../external/passages.ts';
import { type BulkSite, linesOf, type Operation, type Refusal, sendAll } from './bulk.ts';
import { metadataProblem } from './fits.ts';
import { assertLength, type Mapping, readMapping } from './mapping.ts';
import type { IndexDetails, SearchServer } from './server.ts';

/** Bytes of an entry's id at most, in UTF-8. */
const LONGEST_ID = 512;
/** Entries that are read together, with their vectors. */
const READ_TOGETHER = 50;

interface Index extends BulkSite {
  details: IndexDetails;
  mapping: Mapping;
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
    replace: (document, owned) => replaceEntries(index, document, owned),
    async remove(keys) {
      if (keys.length === 0) return;
      const operations = keys.map((key) => ({ key }));
      const refusal = await sendAll(index, operations);
      if (refusal) throw named(refusal, 'The index did not delete a passage');
    },
  };
}

async function present({ server, deadline }: Index, keys: readonly string[]): Promise<ReadonlySet<string>> {
  const fitting = keys.filter(isFitting);
  if (fitting.length === 0) return new Set();
  const { docs } = await server.ask('_mget?_source=false', deadline, { ids: fitting });
  return new Set(foundOf(docs).map(({ _id }) => String(_id)));
}

const isFitting = (key: string): boolean => Buffer.byteLength(key) <= LONGEST_ID;

const foundOf = (docs: unknown): Json[] =>
  Array.isArray(docs) ? docs.filter(isObject).filter((doc) => doc.found === true) : [];

/** One request, of which an index can refuse a part: then the document is made again what it was. */
async function replaceEntries(
  index: Index,
  document: Outgoing<EmbeddedDocument>,
  owned: readonly string[],
): Promise<WriteFailure | undefined> {
  const { details, mapping } = index;
  const passages = writtenPassages(document);
  for (const { vector } of passages) assertLength(mapping, details, vector);
  const problem = metadataProblem(document.metadata, details, mapping) ?? longKeyProblem(passages);
  if (problem) return { code: 'bad_request', message: problem };
  const entries: Operation[] = passages.map((passage) => {
    return { key: passage.key, entry: entryOf(details, document, passage) };
  });
  checkBody(document, () => linesOf(entries).join('\n'));
  const keys = new Set(passages.map(({ key }) => key));
  const former = await readFormer(index, owned);
  const deletions = owned.filter((key) => !keys.has(key) && isFitting(key)).map((key) => ({ key }));
  const operations = [...entries, ...deletions];
  const refusal = await sendAll(index, operations);
  if (!refusal) return undefined;
  const { error, isPartial, isAnswered } = refusal;
  // A server that is lost could not be asked to take anything back either; the list keeps that the document was begun.
  if (!isAnswered || (!isPartial && error.code !== 'bad_request')) throw named(refusal, NOT_TAKEN);
  if (isPartial && !(await takeBack(index, operations, former))) {
    const message = `${NOT_TAKEN}, and may have others of the document: ${error.message}. Write it again`;
    return { code: error.code, message, isPartial: true };
  }
  return { code: error.code, message: `${NOT_TAKEN}, so the document stays as it was: ${error.message}` };
}

const NOT_TAKEN = 'The index did not take a passage';

const named = ({ error }: Refusal, what: string): OutboundError =>
  new OutboundError(error.code, `${what}: ${error.message}`, {
    httpStatus: error.httpStatus,
    retryAfter: error.retryAfter,
    cause: error,
  });

/** The entries that a document has, by key. */
async function readFormer({ server, deadline }: Index, owned: readonly string[]): Promise<Map<string, Json>> {
  const former = new Map<string, Json>();
  const fitting = owned.filter(isFitting);
  for (let start = 0; start < fitting.length; start += READ_TOGETHER) {
    const { docs } = await server.ask('_mget', deadline, { ids: fitting.slice(start, start + READ_TOGETHER) });
    for (const { _id, _source } of foundOf(docs)) former.set(String(_id), isObject(_source) ? _source : {});
  }
  return former;
}

/** @returns whether all entries are again what they were */
async function takeBack(index: Index, operations: readonly Operation[], former: ReadonlyMap<string, Json>) {
  const { vector_field: vectorField } = index.details;
  // Some indexes keep vectors out of what they give back.
  if ([...former.values()].some((entry) => !(vectorField in entry))) return false;
  const earlier = operations.map(({ key }): Operation => {
    const entry = former.get(key);
    return entry ? { key, entry } : { key };
  });
  return (await sendAll(index, earlier)) === undefined;
}

const longKeyProblem = (passages: readonly WrittenPassage[]): string | undefined =>
  passages.some(({ key }) => !isFitting(key))
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
