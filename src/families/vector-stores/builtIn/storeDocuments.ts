import type { EmbeddedDocument } from '../../../ports/knowledge/documents.ts';
import type { Catalogue } from '../documents/catalogue.ts';
import { intentOf, sameDetails } from '../documents/intents.ts';
import { partKey } from '../documents/stored.ts';
import type { WriteSession } from '../documents/writeSession.ts';
import { batchesOf } from './batches.ts';
import { bodiesOf } from './encoding.ts';

/** Bytes of documents whose stored form is in memory at a time, about. */
const BATCH_BYTES = 3_000_000;

const bytesOf = ({ text, passages }: EmbeddedDocument): number =>
  passages.reduce((sum, { vector }) => sum + vector.byteLength, text.length);

/** Replaces documents, each atomically. */
export async function replaceDocuments(
  catalogue: Catalogue,
  details: object,
  documents: readonly EmbeddedDocument[],
): Promise<void> {
  await catalogue.write(sameDetails(details), async (session) => {
    const intents = documents.map(intentOf);
    await session.assertRoom(intents);
    for (const { passages } of documents) for (const { vector } of passages) session.assertDimensions(vector.length);
    for (const batch of batchesOf(documents, bytesOf, BATCH_BYTES))
      await session.put(batch.map((document) => storedForm(session, document)));
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
