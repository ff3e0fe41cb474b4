import type { Json } from '../../contract/basics.ts';
import { Fault } from '../../contract/codes/faults.ts';
import { parallel } from '../../domain/async/parallel.ts';
import { recordKey } from '../../domain/values/keys.ts';
import { namedBy, type Reading, type RecordCodec } from '../../resources/recordCodec.ts';
import { readableRegistrations } from './readable.ts';
import { FAMILY, REGISTERED_MODELS } from './stored.ts';

const READ = 'getRegistration';
const AT_ONCE = 8;

const addressOf = (model_name: string) => ({ query: { model_name } });

export const registrationCodec: RecordCodec = {
  family: 'model-registrations',
  rank: 0,
  rows: { read: READ, create: 'registerModel', update: 'updateRegistration' },
  collection: REGISTERED_MODELS,
  keyOf: recordKey,
  planned: FAMILY,
  hasAcl: true,
  ...namedBy('model_name'),
  all,
  readCall: addressOf,
};

/** No row lists complete registrations. */
async function* all({ calls, caller, records }: Reading): AsyncGenerator<Json> {
  const names = (await readableRegistrations(records, caller)).map(({ model_name }) => model_name);
  for (let start = 0; start < names.length; start += AT_ONCE) {
    const replies = await parallel(names.slice(start, start + AT_ONCE), AT_ONCE, (name) =>
      calls.perform(READ, addressOf(name)).catch(ignoreNotFound),
    );
    yield* replies.flatMap((reply) => (reply ? [reply.config as Json] : []));
  }
}

/** Ignores concurrent deletions. */
function ignoreNotFound(error: unknown): undefined {
  if (!(error instanceof Fault) || error.code !== 'not_found') throw error;
}
