import { isDeepStrictEqual } from 'node:util';
import { Fault } from '../../contract/codes/faults.ts';
import { reachOf } from '../../domain/access/audience.ts';
import { parallel } from '../../domain/async/parallel.ts';
import { NO_AUDIT } from '../../domain/audit/audit.ts';
import { SealedRecords } from '../../domain/records/sealed.ts';
import type { SiteStores } from '../../domain/records/sealedRecord.ts';
import type { Doc } from '../../ports/stores/recordStore.ts';
import { EXPERIMENTS, HISTORY } from './constants.ts';
import { type ExperimentStored, experimentSpec, type HistoryStored } from './records.ts';

const AT_ONCE = 8;

/** From 0.2.0, whose store may still have what 0.1.0 wrote: readers in another form, and a history without messages. */
export async function migrateFrom020(stores: SiteStores): Promise<void> {
  await migrateAudiences(stores);
  await migrateMessages(stores);
}

async function migrateAudiences(stores: SiteStores): Promise<void> {
  const sealed = new SealedRecords(experimentSpec, { ...stores, audit: NO_AUDIT });
  const fields = ['acl', 'audience'];
  for await (const chunk of stores.records.chunks<ExperimentStored>(EXPERIMENTS, { fields })) {
    await convert(stores, chunk, async (seen) => {
      const isCurrent = isDeepStrictEqual(seen.audience, reachOf(seen.acl).audience);
      if (!isCurrent) await sealed.amend(seen._key, async ({ acl }) => ({ open: reachOf(acl) }));
    });
  }
}

async function migrateMessages(stores: SiteStores): Promise<void> {
  const { records } = stores;
  for await (const chunk of records.chunks<HistoryStored>(HISTORY, { fields: ['message'] })) {
    await convert(stores, chunk, async (seen) => {
      const entry = seen.message === undefined ? await records.get<HistoryStored>(HISTORY, seen._key) : undefined;
      // Entries never change, so no lease is needed.
      if (entry) await records.replace(HISTORY, { ...entry, message: JSON.parse(entry.details).message ?? '' });
    });
  }
}

/** A document that cannot be converted must not keep the app from starting. */
async function convert<D extends Doc>(stores: SiteStores, docs: readonly D[], work: (doc: D) => Promise<void>) {
  await parallel(docs, AT_ONCE, async (doc) => {
    try {
      await work(doc);
    } catch (error) {
      if (error instanceof Fault) throw error;
      stores.log.warn('not_migrated', { key: doc._key });
    }
  });
}
