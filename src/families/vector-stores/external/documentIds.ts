import type { Passage } from '../../../ports/cloud/passages.ts';
import type { Catalogue } from '../documents/catalogue.ts';
import { storedPassages } from '../documents/stored.ts';

const PASSAGE = /^(.+)#(\d{1,7})$/s;

/** Passages of documents that the app wrote bear the id of their document; rows of others keep theirs. */
export async function withDocumentIds(
  catalogue: Catalogue | undefined,
  passages: readonly Passage[],
): Promise<readonly Passage[]> {
  const parents = passages.map(({ id = '' }) => PASSAGE.exec(id));
  const ids = new Set(parents.flatMap((parent) => parent?.[1] ?? []));
  if (!catalogue || ids.size === 0) return passages;
  const entries = await catalogue.entries([...ids]);
  return passages.map((passage, index) => {
    const [, id = '', place = ''] = parents[index] ?? [];
    if (Number(place) >= storedPassages(entries.get(id)) || id === '') return passage;
    return { ...passage, id, source: { ...passage.source, uri: id } };
  });
}
