import { batchKeys, withKeys } from '../../../domain/lists/pageBuffer.ts';
import type { FoundPassage } from '../../../ports/knowledge/passageFiles.ts';
import type { Doc, RecordStore } from '../../../ports/stores/recordStore.ts';
import { DOCUMENTS, PARTS, partKey } from '../documents/stored.ts';

type Text = Doc & { change: number; text: string };

/** The texts of passages, from the documents; undefined for one whose document has changed since the file was. */
export async function textsOf(
  records: RecordStore,
  passages: readonly Pick<FoundPassage, 'key' | 'change' | 'part' | 'start' | 'end'>[],
): Promise<(string | undefined)[]> {
  const keyOf = ({ key, change, part }: (typeof passages)[number]) => (part === 0 ? key : partKey(key, change, part));
  const read = async (collection: string, keys: readonly string[]): Promise<Text[]> => {
    const parts = [...batchKeys([...new Set(keys)])].map((some) =>
      records.find<Text>(collection, { query: withKeys(some), fields: ['change', 'text'] }),
    );
    return (await Promise.all(parts)).flat();
  };
  const [heads, parts] = await Promise.all([
    read(DOCUMENTS, passages.filter(({ part }) => part === 0).map(keyOf)),
    read(PARTS, passages.filter(({ part }) => part > 0).map(keyOf)),
  ]);
  const byKey = new Map([...heads, ...parts].map((document) => [document._key, document]));
  return passages.map((passage) => {
    const document = byKey.get(keyOf(passage));
    return document?.change === passage.change ? document.text.slice(passage.start, passage.end) : undefined;
  });
}
