import { must, NotAsked } from './answer.ts';
import { KV } from './app.ts';
import type { Check } from './check.ts';
import { NAMESPACE, type Visit } from './visit.ts';

/** A collection of the app for these checks alone: they empty it. */
export const COLLECTION = 'ml_doctor';
const DATA = `${NAMESPACE}/storage/collections/data/${COLLECTION}`;
/** How the KV store behaves where sources about splunkd disagree. */
export const STORE_CHECKS: readonly Check[] = [
  {
    code: 'batch-find',
    needs: 'store',
    remedy: KV,
    /** Never fails on an answer, since the app does not use it: reports are read by those who write apps. */
    async check(visit) {
      return withDocuments(visit, [2, 1], async () => {
        const find = async (spec: object) => {
          const query = { query: { run: visit.mark }, ...spec };
          const answer = await visit.call('POST', `${DATA}/batch_find?output_mode=json`, {
            body: JSON.stringify([query]),
          });
          if (answer.status === 400) return undefined;
          must(answer.status === 200, 'A batch of queries was refused', answer);
          return answer.list(0).map((_, n) => answer.value(0, n, 'n'));
        };
        const use = async (spec: object, taken: string) => {
          const numbers = await find(spec);
          if (numbers === undefined) return 'refused';
          return numbers.join() === taken ? 'taken' : 'ignored';
        };
        const limit = [await use({ limit: 1 }, '2'), await use({ limit: '1' }, '2')];
        const sort = [await use({ sort: [{ n: 1 }] }, '1,2'), await use({ sort: 'n:1' }, '1,2')];
        return `batch_find: limit as number ${limit[0]}, as text ${limit[1]}; sort as list ${sort[0]}, as text ${sort[1]}`;
      });
    },
  },
  {
    code: 'replace-missing',
    needs: 'store',
    remedy: KV,
    /** The app allows for both. */
    async check(visit) {
      return withDocuments(visit, [], async () => {
        const body = JSON.stringify({ run: visit.mark, n: 3 });
        const answer = await visit.call('POST', `${DATA}/${visit.mark}-none?output_mode=json`, { body });
        if (answer.status === 404) return 'a POST to a key without a document is refused (404)';
        must(answer.status === 200 || answer.status === 201, 'A POST to a key without a document failed', answer);
        return 'a POST to a key without a document inserts one';
      });
    },
  },
];

/** Inserts a document for each number, and empties the collection after the work. @throws NotAsked for other accounts */
async function withDocuments<T>(visit: Visit, numbers: readonly number[], work: () => Promise<T>): Promise<T> {
  if (!visit.has('admin_all_objects')) throw new NotAsked('only administrators may use a collection of the app');
  const present = await visit.read(`${DATA}?limit=1`);
  if (present.status !== 200) throw new NotAsked(`the app has no collection ${COLLECTION} that this account may use`);
  // Before sending: an interrupted call may have inserted a document.
  visit.hasDocuments = true;
  try {
    for (const [position, n] of numbers.entries()) {
      const body = JSON.stringify({ _key: `${visit.mark}-${position}`, run: visit.mark, n });
      const answer = await visit.call('POST', `${DATA}?output_mode=json`, { body });
      must(answer.status === 201 || answer.status === 200, 'A document was not inserted', answer);
    }
    return await work();
  } finally {
    // Documents that remain are removed, or else reported, at the end of the run.
    await removeDocuments(visit).catch(() => undefined);
  }
}

/** Empties the collection, also of what a run that was killed left there. @throws Failed, NotAsked */
export async function removeDocuments(visit: Visit): Promise<void> {
  if (!visit.hasDocuments) return;
  const answer = await visit.call('DELETE', `${DATA}?output_mode=json`);
  must(answer.status === 200, `The collection ${COLLECTION} could not be emptied`, answer);
  visit.hasDocuments = false;
}
