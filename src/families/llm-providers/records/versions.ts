import { Fault } from '../../../contract/codes/faults.ts';
import { type LlmConnection, type LlmModel, modelsOf } from './connection.ts';

export const entryOf = (record: LlmConnection, model: string): LlmModel | undefined =>
  modelsOf(record).find((one) => one.model === model);

/** The version of a record that is gone matches no version that was seen before: 0 stands for none. */
export function assertVersion(entry: LlmModel | undefined, condition: number | undefined): void {
  const current = entry?.version ?? 0;
  if (condition === undefined || condition === current) return;
  const what = entry
    ? `The record has version ${current}, not ${condition}: read it again`
    : 'The record no longer exists: create it without a version';
  throw conflict(what, entry);
}

export const conflict = (message: string, entry: LlmModel | undefined): Fault =>
  new Fault('version_conflict', message, { current_version: entry?.version ?? 0 });
