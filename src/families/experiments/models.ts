import type { Caller } from '../../contract/caller.ts';
import { Fault, invalid } from '../../contract/codes/faults.ts';
import { modelFileName } from '../../contract/families/models.ts';
import type { Stores } from '../../domain/records/sealedRecord.ts';
import type { HostClock } from '../../ports/platform/clock.ts';
import type { LookupFiles } from '../../ports/stores/lookupFiles.ts';
import {
  isDescribed,
  lookupOwner,
  type ModelContent,
  type ModelFile,
  modelFiles,
  preferred,
  UploadedModels,
  writeFile,
} from '../model-files/public.ts';
import type { CloneInput, CloneResult } from './historySchemas.ts';

interface Item {
  source: string;
  destination: string;
}

const CLONE_MS = 25_000;

const tooSlow = (done: number, total: number) =>
  new Fault(
    'store_unavailable',
    `The platform was slow: only ${done} of ${total} models were handled. Repeat the call.`,
  );

const draftPrefix = (id: string) => `_exp_draft_${id}`;
const finalPrefix = (id: string) => `_exp_${id}`;

/** Model files whose names contain the id of an experiment, accessed with the caller's rights. */
export class ExperimentModels {
  readonly #lookups: LookupFiles;
  readonly #uploaded: UploadedModels;
  readonly #clock: HostClock;

  constructor(stores: Pick<Stores, 'records' | 'clock' | 'log' | 'newId'>, lookups: LookupFiles) {
    this.#lookups = lookups;
    this.#uploaded = new UploadedModels(stores, lookups);
    this.#clock = stores.clock;
  }

  /**
   * Successful copies stay if others fail.
   * @throws Fault `validation_failed`, `already_exists` if every destination exists, or `store_unavailable` at the deadline
   */
  async clone(caller: Caller, id: string, input: CloneInput): Promise<CloneResult[]> {
    const files = await modelFiles(this.#lookups);
    const items = input.models ?? draftsOf(files, id);
    assertDistinct(items);
    const results: CloneResult[] = [];
    const ends = this.#clock.monotonic() + CLONE_MS;
    for (const item of items) {
      if (this.#clock.monotonic() > ends) throw tooSlow(results.length, items.length);
      results.push(await this.#cloneOne(caller, files, item, input));
    }
    if (results.length > 0 && results.every(({ status }) => status === 'skipped')) {
      throw new Fault('already_exists', 'Every destination already exists. Use overwrite=true to replace them.', {
        result: results,
      });
    }
    return results;
  }

  /** The experiment is already deleted, so failures are only warnings. @returns names of the deleted models */
  async removeAll(id: string, warnings: string[]): Promise<string[]> {
    const removed = new Set<string>();
    for (const file of await this.#filesOf(id, warnings)) {
      if (!file.canWrite) warnings.push(`The model ${file.model} was not deleted: you lack write access`);
      else if (await this.#remove(file, warnings)) removed.add(file.model);
    }
    return [...removed].sort();
  }

  async #filesOf(id: string, warnings: string[]): Promise<ModelFile[]> {
    try {
      const listings = [finalPrefix(id), draftPrefix(id)].map((beginning) => modelFiles(this.#lookups, beginning));
      return (await Promise.all(listings)).flat();
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      warnings.push(`The models of the experiment were not deleted: ${error.message}`);
      return [];
    }
  }

  async #cloneOne(caller: Caller, files: readonly ModelFile[], item: Item, input: CloneInput): Promise<CloneResult> {
    const { overwrite = false, sharing = 'user' } = input;
    try {
      const source = preferred(
        files.filter(({ model }) => model === item.source.replace(/^app:/, '')),
        caller.user,
      );
      if (!source) return { ...item, status: 'failed', error_code: 'not_found' };
      const name = modelFileName(item.destination, source.extension);
      const { app } = source;
      const owner = sharing === 'user' ? caller.user : 'nobody';
      const there = files.filter((file) => file.app === app && file.model === item.destination);
      if (there.length > 0 && !overwrite) return { ...item, status: 'skipped', error_code: 'already_exists' };
      const target = there.find((file) => file.name === name && lookupOwner(file) === owner);
      const copy = () => writeFile(this.#lookups, { name, app, owner }, source, { overwrite, seen: target });
      const location = { model: item.destination, owner };
      const made = isDescribed(source)
        ? await this.#uploaded.put(location, await this.#contentOf(source, caller), copy)
        : await copy();
      return made ? { ...item, status: 'cloned' } : { ...item, status: 'skipped', error_code: 'already_exists' };
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      return { ...item, status: 'failed', error_code: error.code };
    }
  }

  async #contentOf(source: ModelFile, caller: Caller): Promise<ModelContent | undefined> {
    const content = (await this.#uploaded.contentsOf([source])).get(source);
    if (!content) return undefined;
    const sha256 = content.sha256 ?? (await this.#uploaded.digest(source));
    return {
      ...content,
      uploaded_at: this.#clock.now() / 1000,
      uploaded_by: caller.user,
      ...(sha256 === undefined ? {} : { sha256 }),
    };
  }

  async #remove(file: ModelFile, warnings: string[]): Promise<boolean> {
    try {
      return await this.#uploaded.remove(file);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      warnings.push(`The model ${file.model} was not deleted: ${error.message}`);
      return false;
    }
  }
}

function draftsOf(files: readonly ModelFile[], id: string): Item[] {
  const names = files.map(({ model }) => model).filter((model) => model.startsWith(draftPrefix(id)));
  return [...new Set(names)].sort().map((source) => ({
    source,
    destination: finalPrefix(id) + source.slice(draftPrefix(id).length),
  }));
}

function assertDistinct(items: readonly Item[]): void {
  const keys = new Set<string>();
  const problems = items.flatMap(({ destination }, index) => {
    // Some file systems ignore case.
    const key = destination.toLowerCase();
    if (!keys.has(key)) {
      keys.add(key);
      return [];
    }
    return [{ field: `models.${index}.destination`, message: 'is the destination of another item too' }];
  });
  if (problems.length > 0) throw invalid(problems);
}
