import { readdirSync, rmSync, statSync } from 'node:fs';
import { OutboundError } from '../../contract/codes/outbound.ts';
import type {
  FileDocument,
  FileFacts,
  FileSearch,
  FileUpdate,
  FoundPassage,
  PassageFile,
} from '../../ports/knowledge/passageFiles.ts';
import type { Deadline } from '../../ports/platform/clock.ts';
import { asFault, BrokenFile, isBroken } from './broken.ts';
import { paddedLength } from './cosineScan.ts';
import { PassageDatabase, type StoredFacts } from './database.ts';
import { nearest, withWords } from './fileSearch.ts';
import { appendVectors, copyVectors } from './vectors.ts';

/** Takes a lock that all processes of this machine share. @returns undefined if others hold it all the time */
export type TakeLock = (name: string, waitMs: number) => Promise<{ release(): void } | undefined>;

/** Files with fewer removed passages are left as they are. */
const FEWEST_REMOVED = 1000;
/** Passages after whose addition the words are put in order. */
const MANY = 5000;

/** The files of one store: a database, and the vectors beside it. */
export class StoreFile implements PassageFile {
  readonly #folder: string;
  readonly #uid: string;
  readonly #lock: TakeLock;
  #database: PassageDatabase | undefined;
  /** Identity of a database in which something was wrong. */
  #broken: string | undefined;

  constructor(folder: string, uid: string, lock: TakeLock) {
    this.#folder = folder;
    this.#uid = uid;
    this.#lock = lock;
  }

  get #path(): string {
    return `${this.#folder}/${this.#uid}.db`;
  }

  #vectorsPath = (generation: number): string => `${this.#folder}/${this.#uid}.${generation}.f32`;

  facts(): FileFacts | undefined {
    return this.#unlessBroken((database) => database.facts());
  }

  search(query: FileSearch): { byVector: FoundPassage[]; byWords: FoundPassage[] } | undefined {
    return this.#unlessBroken((database) =>
      database.read(() => {
        const facts = database.facts();
        const byVector = nearest(database, facts, this.#vectorsPath(facts.generation), query);
        return { byVector, byWords: withWords(database, facts, query) };
      }),
    );
  }

  #unlessBroken<T>(work: (database: PassageDatabase) => T): T | undefined {
    try {
      return work(this.#open());
    } catch (error) {
      if (!isBroken(error)) throw asFault(error, this.#folder);
      this.#broken = this.#database?.identity ?? this.#broken;
      this.close();
      return undefined;
    }
  }

  #open(): PassageDatabase {
    if (this.#database && !this.#database.isCurrent()) this.close();
    this.#database ??= PassageDatabase.open(this.#path, this.#uid);
    if (this.#database.identity === this.#broken) throw new BrokenFile('the file was broken before');
    return this.#database;
  }

  async update<T>(deadline: Deadline, work: (update: FileUpdate) => Promise<T>): Promise<T> {
    const lock = await this.#lock(`knowledge/${this.#uid.slice(-1)}`, deadline.remaining());
    if (!lock) throw new OutboundError('timeout', 'Other searches are bringing the passages of this member up to date');
    try {
      return await this.#updateTwice(work);
    } catch (error) {
      throw asFault(error, this.#folder);
    } finally {
      lock.release();
    }
  }

  /** A file that turns out to be broken is made anew. */
  async #updateTwice<T>(work: (update: FileUpdate) => Promise<T>): Promise<T> {
    try {
      return await work(new Update(this.#openOrMake(), this.#vectorsPath, this.#removeOthers));
    } catch (error) {
      if (!isBroken(error)) throw error;
      this.#broken = this.#database?.identity;
      return await work(new Update(this.#openOrMake(), this.#vectorsPath, this.#removeOthers));
    }
  }

  #openOrMake(): PassageDatabase {
    try {
      const database = this.#open();
      this.#assertVectors(database.facts());
      return database;
    } catch (error) {
      if (!isBroken(error)) throw error;
      this.close();
      this.#removeFiles(() => true);
      PassageDatabase.create(this.#path, this.#uid);
      this.#broken = undefined;
      return this.#open();
    }
  }

  /** @throws BrokenFile if vectors are missing: what is written behind them would leave a gap */
  #assertVectors({ generation, slots, dimensions }: StoredFacts): void {
    const expected = slots * paddedLength(dimensions) * 4;
    if (expected > 0 && statSync(this.#vectorsPath(generation)).size < expected)
      throw new BrokenFile('the file of vectors is too short');
  }

  /** Removes files of vectors of other generations. */
  #removeOthers = (generation: number): void =>
    this.#removeFiles((name) => name.endsWith('.f32') && name !== `${this.#uid}.${generation}.f32`);

  #removeFiles(isLeft: (name: string) => boolean): void {
    for (const name of readdirSync(this.#folder))
      if (name.startsWith(`${this.#uid}.`) && isLeft(name)) rmSync(`${this.#folder}/${name}`, { force: true });
  }

  close(): void {
    this.#database?.close();
    this.#database = undefined;
  }
}

class Update implements FileUpdate {
  readonly #database: PassageDatabase;
  readonly #pathOf: (generation: number) => string;
  readonly #removeOthers: (generation: number) => void;
  #added = 0;

  constructor(
    database: PassageDatabase,
    pathOf: (generation: number) => string,
    removeOthers: (generation: number) => void,
  ) {
    this.#database = database;
    this.#pathOf = pathOf;
    this.#removeOthers = removeOthers;
  }

  get facts(): StoredFacts {
    return this.#database.facts();
  }

  changes(keys?: readonly string[]): Map<string, number> {
    const changes = new Map<string, number>();
    if (!keys)
      for (const { key, change } of this.#database.statement('changes').iterate())
        changes.set(String(key), Number(change));
    const change = this.#database.statement('change');
    for (const key of keys ?? []) {
      const row = change.get(key);
      if (row) changes.set(key, Number(row.change));
    }
    return changes;
  }

  apply(removed: readonly string[], documents: readonly FileDocument[]): void {
    const database = this.#database;
    const before = this.facts;
    const after = database.write(() => {
      let { passages, slots, generation, dimensions } = before;
      for (const key of [...removed, ...documents.map(({ key }) => key)]) passages -= database.remove(key);
      if (passages === 0 && slots > 0) [slots, generation] = [0, generation + 1];
      if (passages === 0) dimensions = 0;
      const vectors = documents.flatMap((document) => document.passages.map(({ vector }) => vector));
      dimensions ||= vectors[0]?.length ?? 0;
      if (vectors.some(({ length }) => length !== dimensions)) throw new BrokenFile('vectors have several lengths');
      appendVectors(this.#pathOf(generation), slots, vectors);
      for (const document of documents) {
        database.add(document, slots);
        slots += document.passages.length;
      }
      passages += vectors.length;
      this.#added += vectors.length;
      database.set({ passages, slots, generation, dimensions });
      return generation;
    });
    if (after !== before.generation) this.#removeOthers(after);
  }

  finish(change: number): void {
    this.#database.write(() => this.#database.set({ change }));
    const { slots, passages } = this.facts;
    if (slots - passages >= FEWEST_REMOVED && slots - passages > slots / 4) this.#compact();
    if (this.#added < MANY) return;
    this.#database.statement('optimize').run();
    this.#database.checkpoint();
  }

  /** Copies the vectors that are left into a new file. */
  #compact(): void {
    const database = this.#database;
    const { generation, dimensions } = this.facts;
    const slots = database
      .statement('slots')
      .all()
      .map(({ slot }) => Number(slot));
    copyVectors(this.#pathOf(generation), this.#pathOf(generation + 1), slots, dimensions);
    database.write(() => {
      const move = database.statement('move');
      // In ascending order the new place is free.
      for (const [place, slot] of slots.entries()) if (place !== slot) move.run(place, slot);
      database.set({ generation: generation + 1, slots: slots.length });
    });
    this.#removeOthers(generation + 1);
  }
}
