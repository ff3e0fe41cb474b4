import { SealedRecords } from '../../../src/domain/records/sealed.ts';
import type { Open, SealedDoc, SealSpec, Stores, Update } from '../../../src/domain/records/sealedRecord.ts';
import type { SubmittedSecrets } from '../../../src/domain/secrets/secrets.ts';

/** A family of no meaning, to test what all families share. */
export interface Thing extends SealedDoc {
  name: string;
  url: string;
  mark?: string | undefined;
}

export const COLLECTION = 'things';

const spec: SealSpec<Thing> = {
  family: 'things',
  collection: COLLECTION,
  label: 'thing',
  addresses: ({ url }) => ({ url }),
  audited: ({ name, url, mark }) => ({ name, url, mark }),
};

export const things = (stores: Stores, more: Partial<SealSpec<Thing>> = {}) =>
  new SealedRecords({ ...spec, ...more }, stores);

export const thing = (name: string, mark = 'old'): Open<Thing> => ({
  _key: name,
  name,
  url: 'https://a.example',
  mark,
});

export function change(patch: Partial<Open<Thing>>, given: SubmittedSecrets = {}, condition?: number): Update<Thing> {
  return {
    actor: 'writer',
    condition,
    guard: () => undefined,
    next: (record) => ({ ...record, ...patch }),
    submitted: given,
  };
}
