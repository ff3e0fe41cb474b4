import { createHash } from 'node:crypto';
import { Fault } from '../../contract/codes/faults.ts';
import { batchKeys, withKeys } from '../../domain/lists/pageBuffer.ts';
import { type Lease, Leases, WRITE_LEASE_MS } from '../../domain/locks/leases.ts';
import type { Stores } from '../../domain/records/sealedRecord.ts';
import { recordKey } from '../../domain/values/keys.ts';
import type { LookupFile, LookupFiles } from '../../ports/stores/lookupFiles.ts';
import { type ModelFile, modelFiles } from './files.ts';
import { type ModelContent, type ModelRecord, UPLOADED_MODELS } from './stored.ts';

export const APP = 'ml_extension';
export const ONNX = 'onnx';
/** Covers every upload; larger files are identified by their first part. */
const MAX_DIGESTED = 32 * 1024 * 1024;

export interface ModelLocation {
  model: string;
  owner: string;
}

export const lookupOwner = ({ sharing, owner }: Pick<LookupFile, 'sharing' | 'owner'>): string =>
  sharing === 'user' ? owner : 'nobody';

/** Only ONNX files of this app have a record. */
export const isDescribed = ({ app, extension }: Pick<ModelFile, 'app' | 'extension'>): boolean =>
  app === APP && extension === ONNX;

export const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Model names are case-sensitive and contain no dot. */
const keyOf = ({ owner, model }: ModelLocation): string => `${recordKey(owner)}.${model}`;

/**
 * Uploaded models: a lookup file and a record. The record is written ahead of the file, so that after a crash the digest of
 * the file shows which content it has.
 */
export class UploadedModels {
  readonly #stores: Pick<Stores, 'records' | 'log'>;
  readonly #lookups: LookupFiles;
  readonly #leases: Leases;

  constructor(stores: Pick<Stores, 'records' | 'clock' | 'log' | 'newId'>, lookups: LookupFiles) {
    this.#stores = stores;
    this.#lookups = lookups;
    this.#leases = new Leases(stores.records, stores.clock, stores.newId);
  }

  /**
   * @param content undefined if unknown, which removes the older metadata
   * @param write returns false if the file exists and may not be overwritten
   */
  async put(
    location: ModelLocation,
    content: ModelContent | undefined,
    write: () => Promise<boolean>,
  ): Promise<boolean> {
    return this.#exclusive(location, async (lease) => {
      const before = await this.#repairedRecord(location);
      if (!before && !content) return write();
      await this.#save({ ...(before ?? recordOf(location, NOTHING)), pending: content ?? NOTHING });
      let isWritten: boolean | undefined;
      try {
        isWritten = await write();
        return isWritten;
      } finally {
        // After a lost lease, the next holder checks the file.
        if (lease.isHeld()) await this.#finishWrite(location, before, content, isWritten);
      }
    });
  }

  /** @returns false if the file did not exist */
  async remove(file: ModelFile): Promise<boolean> {
    if (!isDescribed(file)) return this.#lookups.remove(file);
    const location = { model: file.model, owner: lookupOwner(file) };
    return this.#exclusive(location, async () => {
      const isRemoved = await this.#lookups.remove(file);
      await this.#logFailure(location, () => this.#stores.records.remove(UPLOADED_MODELS, keyOf(location)));
      return isRemoved;
    });
  }

  /** A model that was shared after its upload is found by its uploader. */
  async contentsOf(files: readonly ModelFile[]): Promise<Map<ModelFile, ModelContent>> {
    const described = files.filter(isDescribed);
    const keysOf = (file: ModelFile) =>
      [lookupOwner(file), file.owner].map((owner) => keyOf({ owner: owner, model: file.model }));
    const recordsByKey = await this.#recordsAt([...new Set(described.flatMap(keysOf))]);
    const contents = new Map<ModelFile, ModelContent>();
    const addContent = async (file: ModelFile, record: ModelRecord) => {
      const content = await this.#matchingContent(file, record);
      if (content) contents.set(file, content);
    };
    const pairs = described.flatMap((file): [ModelFile, ModelRecord][] =>
      keysOf(file)
        .flatMap((key) => recordsByKey.get(key) ?? [])
        .slice(0, 1)
        .map((record) => [file, record]),
    );
    await Promise.all(pairs.filter(([, { pending }]) => !pending).map((pair) => addContent(...pair)));
    // Sequential, to hold only one file in memory.
    for (const [file, record] of pairs) if (record.pending) await addContent(file, record);
    return contents;
  }

  /** @returns undefined if the file is not on this cluster member */
  async digest(file: LookupFile): Promise<string | undefined> {
    const bytes = await this.#lookups.head(file, MAX_DIGESTED);
    return bytes && digestOf(bytes);
  }

  async #recordsAt(keys: readonly string[]): Promise<Map<string, ModelRecord>> {
    const recordsByKey = new Map<string, ModelRecord>();
    for (const some of batchKeys(keys)) {
      for (const record of await this.#stores.records.find<ModelRecord>(UPLOADED_MODELS, { query: withKeys(some) })) {
        recordsByKey.set(record._key, record);
      }
    }
    return recordsByKey;
  }

  async #matchingContent(file: LookupFile, record: ModelRecord): Promise<ModelContent | undefined> {
    const { pending } = record;
    const recorded = contentOf(record);
    if (!pending) {
      const info = recorded.size_bytes === undefined ? undefined : await this.#lookups.stat(file);
      return !info || info.size === recorded.size_bytes ? recorded : undefined;
    }
    // A write is in progress or was interrupted, which is rare enough to read the file.
    const digest = await this.digest(file);
    if (digest === undefined) return undefined;
    return [pending, recorded].find(({ sha256 }) => sha256 === digest);
  }

  /** The record after recovery from an interrupted write. */
  async #repairedRecord(location: ModelLocation): Promise<ModelRecord | undefined> {
    const record = await this.#stores.records.get<ModelRecord>(UPLOADED_MODELS, keyOf(location));
    return record?.pending ? this.#matchToFile(location, [record.pending, record]) : record;
  }

  async #finishWrite(
    location: ModelLocation,
    before: ModelRecord | undefined,
    content: ModelContent | undefined,
    isWritten: boolean | undefined,
  ): Promise<void> {
    await this.#logFailure(location, async () => {
      const done = content && recordOf(location, content);
      // After a failure only the file shows whether it was written.
      const next =
        isWritten === undefined
          ? await this.#matchToFile(location, [done ?? NOTHING, before ?? NOTHING])
          : isWritten
            ? done
            : before;
      if (next) await this.#save(next);
      else await this.#stores.records.remove(UPLOADED_MODELS, keyOf(location));
    });
  }

  async #matchToFile(location: ModelLocation, contents: readonly ModelContent[]): Promise<ModelRecord | undefined> {
    const files = await modelFiles(this.#lookups, location.model);
    const file = files.find(
      (candidate) =>
        isDescribed(candidate) && candidate.model === location.model && lookupOwner(candidate) === location.owner,
    );
    const digest = file && (await this.digest(file));
    const content = digest === undefined ? undefined : contents.find(({ sha256 }) => sha256 === digest);
    return content && recordOf(location, content);
  }

  async #save(record: ModelRecord): Promise<void> {
    const { records } = this.#stores;
    if (await records.replace(UPLOADED_MODELS, record)) return;
    if (!(await records.insert(UPLOADED_MODELS, record))) await records.replace(UPLOADED_MODELS, record);
  }

  /** The file is already written, so a failure to update its record must not fail the request. */
  async #logFailure({ model }: ModelLocation, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      this.#stores.log.warn('model_record_left', { model, code: error.code });
    }
  }

  #exclusive<T>(location: ModelLocation, work: (lease: Lease) => Promise<T>): Promise<T> {
    return this.#leases.hold(`models.${keyOf(location)}`, WRITE_LEASE_MS, work);
  }
}

const NOTHING: ModelContent = { features: [], targets: [], uploaded_at: 0, uploaded_by: '' };

const recordOf = (location: ModelLocation, content: ModelContent): ModelRecord => ({
  _key: keyOf(location),
  model_name: location.model,
  place: location.owner,
  ...contentOf(content),
});

function contentOf({ features, targets, uploaded_at, uploaded_by, ...more }: ModelContent): ModelContent {
  const { file_name, size_bytes, sha256, inputs, outputs } = more;
  return {
    features,
    targets,
    uploaded_at,
    uploaded_by,
    ...(file_name === undefined ? {} : { file_name }),
    ...(size_bytes === undefined ? {} : { size_bytes }),
    ...(sha256 === undefined ? {} : { sha256 }),
    ...(inputs === undefined ? {} : { inputs }),
    ...(outputs === undefined ? {} : { outputs }),
  };
}
