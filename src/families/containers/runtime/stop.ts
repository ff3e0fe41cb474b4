import { Fault } from '../../../contract/codes/faults.ts';
import { pullLease, type RuntimeStored } from './records.ts';
import { removeObject, type StartParts } from './start/start.ts';

export const noRecord = (model: string) => new Fault('not_found', `There is no container for the model ${model}`);

/** Ends a container and clears its record; the record stays when the engine refuses. */
export async function stopContainer(parts: StartParts, model: string): Promise<RuntimeStored> {
  const { engines, runtimes, observer } = parts;
  // What runs without a record is found again and can be stopped like any other.
  const record = (await runtimes.get(model)) ?? (await observer.observe()).find((found) => isSameModel(found, model));
  if (!record) throw noRecord(model);
  // Written first: with a store that takes nothing down nothing is stopped, and whoever comes after a stop that died here
  // can repeat it.
  const stopping = await runtimes.change(record, () => ({ step: 'stopping' }));
  // Another stop was faster.
  if (!stopping) return record;
  // The worker notices; it removes what it may have begun.
  if (record.step === 'pulling') await runtimes.leases.drop(pullLease(record._key), record.pull_owner);
  try {
    await removeObject(engines, record);
  } catch (error) {
    await runtimes.change(record, ({ step }) => (step === 'stopping' ? { step: record.step } : {})).catch(() => {});
    throw error;
  }
  await runtimes.clear(record);
  return record;
}

const isSameModel = (record: RuntimeStored, model: string) => record.model.toLowerCase() === model.toLowerCase();
