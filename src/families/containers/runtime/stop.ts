import { noRecord, pullLease, type RuntimeStored } from './records.ts';
import { removeObject, type StartParts } from './start/start.ts';

/** Stops a container and removes its record, which is kept if the engine fails. */
export async function stopContainer(parts: StartParts, model: string): Promise<RuntimeStored> {
  const { engines, runtimes, observer } = parts;
  // A container without a record is found by an observation.
  const record = (await runtimes.get(model)) ?? (await observer.observe()).find((other) => isSameModel(other, model));
  if (!record) throw noRecord(model);
  // Written first, so that an interrupted stop can be repeated.
  const stopping = await runtimes.change(record, () => ({ step: 'stopping' }));
  // A concurrent stop has removed the record.
  if (!stopping) return record;
  // The worker notices the lost lease and removes its container.
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
