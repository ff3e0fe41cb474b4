import { Fault } from '../../../contract/codes/faults.ts';
import { isSameValue } from '../../../domain/values/json.ts';
import type { EmbeddedDocument } from '../../../ports/knowledge/documents.ts';
import type { Catalogue } from '../documents/catalogue.ts';
import { partKey } from '../documents/stored.ts';
import type { Intent, WriteSession } from '../documents/writeSession.ts';
import { bodiesOf } from './encoding.ts';

/** Bytes of documents whose stored form is in memory at a time, about. */
const BATCH_BYTES = 3_000_000;

const intentOf = ({ id, text, metadata, passages }: EmbeddedDocument): Intent => ({
  id,
  passages: passages.length,
  metadata: JSON.stringify(metadata),
  bytes: Buffer.byteLength(text),
});

/** The record's details are those by which the documents were cut and embedded. @throws Fault `store_unavailable` */
const sameDetails =
  (details: object) =>
  (now: object): void => {
    if (!isSameValue(details, now))
      throw new Fault(
        'store_unavailable',
        'The vector store was changed while the documents were embedded. Try again.',
      );
  };

/** Documents in their order, as many as are written together. */
function batchesOf(documents: readonly EmbeddedDocument[]): EmbeddedDocument[][] {
  const batches: EmbeddedDocument[][] = [];
  let size = Number.POSITIVE_INFINITY;
  for (const document of documents) {
    const bytes = document.passages.reduce((sum, { vector }) => sum + vector.byteLength, document.text.length);
    if (size + bytes > BATCH_BYTES) {
      batches.push([]);
      size = 0;
    }
    batches.at(-1)?.push(document);
    size += bytes;
  }
  return batches;
}

/** Replaces documents as a whole, each atomically. */
export async function replaceDocuments(
  catalogue: Catalogue,
  details: object,
  documents: readonly EmbeddedDocument[],
): Promise<void> {
  await catalogue.write(sameDetails(details), async (session) => {
    const intents = documents.map(intentOf);
    await session.assertRoom(intents);
    for (const { passages } of documents) for (const { vector } of passages) session.assertDimensions(vector.length);
    for (const batch of batchesOf(documents)) await session.put(batch.map((document) => storedForm(session, document)));
  });
}

function storedForm(session: WriteSession, document: EmbeddedDocument): Parameters<WriteSession['put']>[0][number] {
  const [body = {}, ...others] = bodiesOf(document);
  const base = session.partOf(document.id);
  const parts = others.map((part, index) => {
    const _key = partKey(base.document, session.change, index + 1);
    return { ...base, ...part, _key };
  });
  return { intent: intentOf(document), body, parts };
}

/** @returns how many there were */
export async function removeDocuments(catalogue: Catalogue, ids: readonly string[] | 'all'): Promise<number> {
  const state = await catalogue.state();
  if (!state) return 0;
  return catalogue.write(
    () => {},
    async (session) => {
      if (ids === 'all') {
        const count = await session.count();
        session.clear();
        return count;
      }
      const { size } = await session.entries(ids);
      if (size > 0) await session.bury(ids);
      return size;
    },
  );
}
