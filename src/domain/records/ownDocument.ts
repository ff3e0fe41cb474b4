import { type Doc, InsertUnclear, type RecordStore } from '../../ports/stores/recordStore.ts';
import { replaceExisting } from '../locks/replaceExisting.ts';

/** A document that only this process writes, one write at a time. Others may fold or remove it. */
export class OwnDocument<D extends Doc> {
  readonly #collection: string;
  readonly #isInsertedAgain: boolean;
  #isStored = false;
  #version = 0;
  #written = 0;
  #writing: Promise<void> | undefined;
  #isRemoved = false;

  /** @param isInsertedAgain after its removal; false where it would count twice beside the document that contains it */
  constructor(collection: string, isInsertedAgain: boolean) {
    this.#collection = collection;
    this.#isInsertedAgain = isInsertedAgain;
  }

  get isStored(): boolean {
    return this.#isStored;
  }

  get isChanged(): boolean {
    return this.#version !== this.#written;
  }

  /** Marks the document to be written. */
  touch(): void {
    this.#version += 1;
  }

  /**
   * Stores the document as it is now, together with later changes if another write is under way.
   * @returns false if others have removed it
   * @throws Fault `store_unavailable`; the next call repeats the write
   */
  async store(records: RecordStore, content: () => D): Promise<boolean> {
    const version = this.#version;
    while (this.#written < version) {
      if (this.#writing) {
        // The call that began it reports its failure.
        await this.#writing.catch(() => {});
        continue;
      }
      this.#writing = this.#put(records, content());
      try {
        await this.#writing;
      } finally {
        this.#writing = undefined;
      }
    }
    return !this.#isRemoved;
  }

  async #put(records: RecordStore, doc: D): Promise<void> {
    const version = this.#version;
    const replace = () =>
      this.#isInsertedAgain ? records.replace(this.#collection, doc) : replaceExisting(records, this.#collection, doc);
    this.#isRemoved = this.#isStored && !(await replace());
    if (!this.#isStored || (this.#isRemoved && this.#isInsertedAgain)) {
      // An insertion whose answer was lost has taken the key.
      const isInserted = await records.insert(this.#collection, doc).catch(async (error: unknown) => {
        if (error instanceof InsertUnclear && (await replace())) return true;
        throw error;
      });
      this.#isRemoved = !isInserted && !(await replace());
      this.#isStored = true;
    }
    this.#written = version;
  }
}
