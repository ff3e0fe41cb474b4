import { Fault } from '../../../contract/faults.ts';
import { pullLease, type RuntimeStored } from './records.ts';
import { removeObject, type StartParts } from './start.ts';

export const noRecord = (model: string) => new Fault('not_found', `There is no container of the model ${model}`);

/** Ends a container and clears its record; the record stays when the engine refuses. */
export async function stopContainer(parts: StartParts, model: string): Promise<RuntimeStored> {
  const { engines, runtimes, observer } = parts;
  // What runs without a record is found again and can be stopped like any other.
  const record = (await runtimes.get(model)) ?? (await observer.look()).find((found) => sameModel(found, model));
  if (!record) throw noRecord(model);
  // A pull is ended by taking its record away, and has no object yet; the worker removes what it may have begun.
  if (record.step === 'pulling') {
    await runtimes.clear(record);
    await runtimes.leases.drop(pullLease(record._key), record.pull_owner);
  }
  await removeObject(engines, record);
  await runtimes.clear(record);
  return record;
}

const sameModel = (record: RuntimeStored, model: string) => record.model.toLowerCase() === model.toLowerCase();
