import type { Json } from '../../../../src/contract/basics.ts';
import { startDeadline } from '../../../../src/domain/async/deadline.ts';
import { unmetered } from '../../../../src/domain/async/unmetered.ts';
import { UnsealedRecord } from '../../../../src/domain/records/sealedRecord.ts';
import type { StoreStored } from '../../../../src/families/vector-stores/definition.ts';
import type { StoreDependencies, StoreDocuments } from '../../../../src/families/vector-stores/kinds/kind.ts';
import { kindOf } from '../../../../src/families/vector-stores/kinds/registry.ts';
import { VECTOR_STORES } from '../../../../src/families/vector-stores/names.ts';
import { unmasked } from '../../../../src/masking/checkedBody.ts';
import type { EmbeddedDocument } from '../../../../src/ports/knowledge/documents.ts';
import { Target } from '../../../../src/resources/target.ts';
import { MemoryPlatform } from '../../../support/memory/platform.ts';
import { search, serverDependencies, type World } from './worlds.ts';

/** A store whose record is saved, with the list of its documents. */
export class SavedStore {
  readonly #platform = new MemoryPlatform();
  readonly #world: Pick<World, 'target'>;
  #target: Target<StoreStored>;

  private constructor(world: Pick<World, 'target'>, target: Target<StoreStored>) {
    this.#world = world;
    this.#target = target;
  }

  static async of(world: Pick<World, 'target'>, name: string, details: object = {}): Promise<SavedStore> {
    const store = new SavedStore(world, world.target(name, details));
    await store.save(name, details);
    return store;
  }

  /** Stores the record anew, with other details. */
  async save(name: string, details: object): Promise<void> {
    const { record, secrets } = this.#world.target(name, details);
    const saved = { ...record, _key: 'docs', created_at: 1 } as unknown as StoreStored;
    const { records } = this.#platform.process();
    await records.remove(VECTOR_STORES, 'docs');
    await records.insert(VECTOR_STORES, saved as never);
    this.#target = Target.saved(new UnsealedRecord(saved, secrets));
  }

  #dependencies = (): StoreDependencies => serverDependencies(this.#platform.process());

  documents(dependencies = this.#dependencies()): StoreDocuments {
    const documents = kindOf(this.#target.record.type).documents?.(this.#target, dependencies);
    if (!documents) throw new Error('this kind of store is not written');
    return documents;
  }

  /** With parts of its servers in the place of the real ones. */
  with = (parts: Partial<StoreDependencies>): StoreDocuments =>
    this.documents(Object.assign(this.#dependencies(), parts));

  async write(documents: readonly EmbeddedDocument[], writer = this.documents()) {
    using deadline = startDeadline(30_000);
    return await writer.replace(documents.map(unmasked), unmetered(deadline));
  }

  async remove(ids: readonly string[] | 'all'): Promise<number> {
    using deadline = startDeadline(30_000);
    return await this.documents().remove(ids, unmetered(deadline));
  }

  search = (vector: readonly number[], more: { filter?: Json; count?: number; text?: string; hybrid?: true } = {}) =>
    search(
      this.#target,
      {
        text: more.text ?? 'x',
        count: more.count ?? 10,
        filter: more.filter,
        vector: new Float32Array(vector),
        ...(more.hybrid && { searchType: 'hybrid' as const }),
      },
      20_000,
      this.#dependencies(),
    );
}

/** A document with a passage for each vector, whose texts name it. */
export function documentOf(id: string, vectors: readonly (readonly number[])[], metadata: Json = {}): EmbeddedDocument {
  const parts = vectors.map((_, index) => `${id} part ${index}. `);
  let start = 0;
  const passages = parts.map((part, index) => {
    const span = { start, end: start + part.length, vector: new Float32Array(vectors[index] ?? []) };
    start = span.end;
    return span;
  });
  return { id, text: parts.join(''), metadata, passages };
}
