import type { Outgoing } from '../../../masking/checkedBody.ts';
import type { EmbeddedDocument } from '../../../ports/knowledge/documents.ts';
import type { Catalogue } from '../documents/catalogue.ts';
import type { DocumentFailure } from '../documents/documentFailure.ts';
import { intentOf, sameDetails } from '../documents/intents.ts';
import { storedPassages } from '../documents/stored.ts';
import type { Intent, WriteSession } from '../documents/writeSession.ts';
import { type PassageTable, passageKeys, type WriteFailure } from './passages.ts';

/** Documents that are looked at together. */
const BATCH = 20;
/** Keys in one question. */
const MOST_KEYS = 1000;

type Failures = (DocumentFailure | undefined)[];

/**
 * Writes documents, each in place of its passages. An entry of the list is written before the store is touched: what a
 * killed write leaves is then known as ours.
 */
export function replaceDocuments(
  catalogue: Catalogue,
  details: object,
  table: PassageTable,
  documents: readonly Outgoing<EmbeddedDocument>[],
): Promise<Failures> {
  return catalogue.write(sameDetails(details), async (session) => {
    const failures: Failures = [];
    for (let start = 0; start < documents.length; start += BATCH) {
      failures.push(...(await replaceBatch(session, table, documents.slice(start, start + BATCH))));
    }
    return failures;
  });
}

async function replaceBatch(
  session: WriteSession,
  table: PassageTable,
  documents: readonly Outgoing<EmbeddedDocument>[],
): Promise<Failures> {
  const before = await session.entries(documents.map(({ id }) => id));
  const owned = (id: string): number => storedPassages(before.get(id));
  const foreign = await occupied(session, table, documents, owned);
  await session.intend(documents.filter(({ id }) => !foreign.has(id)).map(intentOf));
  const written: Intent[] = [];
  const untouched: string[] = [];
  const failures: Failures = [];
  try {
    for (const document of documents) {
      const { id } = document;
      await session.keep();
      const failure = foreign.has(id)
        ? alreadyExists(id)
        : await table.replace(document, passageKeys(id, 0, owned(id)));
      failures.push(failure && { code: failure.code, message: failure.message });
      if (!failure) written.push(intentOf(document));
      else if (!failure.isPartial && !foreign.has(id) && !before.has(id)) untouched.push(id);
    }
  } finally {
    // Where the store fails halfway, the list has what was written until then.
    await session.complete(written);
  }
  await session.forget(untouched);
  return failures;
}

/** Ids of documents under whose keys others have written. */
async function occupied(
  session: WriteSession,
  table: PassageTable,
  documents: readonly EmbeddedDocument[],
  owned: (id: string) => number,
): Promise<ReadonlySet<string>> {
  const owners = new Map<string, string>();
  for (const { id, passages } of documents) {
    for (const key of [id, ...passageKeys(id, owned(id), passages.length)]) owners.set(key, id);
  }
  await dropOwned(session, owners);
  const taken = new Set<string>();
  const keys = [...owners.keys()];
  for (let start = 0; start < keys.length; start += MOST_KEYS) {
    await session.keep();
    for (const key of await table.present(keys.slice(start, start + MOST_KEYS))) taken.add(owners.get(key) ?? '');
  }
  return taken;
}

/** An id may also be the key of a passage of ours: nothing is written under the id itself. */
async function dropOwned(session: WriteSession, owners: Map<string, string>): Promise<void> {
  const parents = new Map<string, { id: string; index: number }>();
  for (const [key, owner] of owners) {
    const [, id, index] = (key === owner && /^(.+)#(\d{1,7})$/s.exec(key)) || [];
    if (id !== undefined) parents.set(key, { id, index: Number(index) });
  }
  const entries = await session.entries([...new Set([...parents.values()].map(({ id }) => id))]);
  for (const [key, { id, index }] of parents) if (index < storedPassages(entries.get(id))) owners.delete(key);
}

const alreadyExists = (id: string): WriteFailure => ({
  code: 'already_exists',
  message: `The store has a row under the id ${id} or one of its passages that this app did not write; use another id`,
});

/** @returns how many documents there were */
export async function removeDocuments(
  catalogue: Catalogue,
  table: PassageTable,
  ids: readonly string[] | 'all',
): Promise<number> {
  if (!(await catalogue.state())) return 0;
  return catalogue.write(
    () => {},
    async (session) => {
      if (ids !== 'all') return removeEntries(session, table, [...(await session.entries(ids)).values()]);
      let removed = 0;
      for await (const entries of session.all()) {
        await session.entries(entries.map(({ id }) => id));
        removed += await removeEntries(session, table, entries);
      }
      return removed;
    },
  );
}

type Entry = Parameters<typeof storedPassages>[0] & { id: string };

async function removeEntries(session: WriteSession, table: PassageTable, entries: readonly Entry[]): Promise<number> {
  for (let start = 0; start < entries.length; start += BATCH) {
    const batch = entries.slice(start, start + BATCH);
    const keys = batch.flatMap((entry) => passageKeys(entry.id, 0, storedPassages(entry)));
    for (let index = 0; index < keys.length; index += MOST_KEYS) {
      await session.keep();
      await table.remove(keys.slice(index, index + MOST_KEYS));
    }
    await session.forget(batch.map(({ id }) => id));
  }
  return entries.filter((entry) => entry?.state === 'stored').length;
}
