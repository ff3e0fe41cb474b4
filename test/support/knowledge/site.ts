import type { Json } from '../../../src/contract/basics.ts';
import { startDeadline } from '../../../src/domain/async/deadline.ts';
import { followedFile } from '../../../src/families/vector-stores/builtIn/follow.ts';
import { searchPassages } from '../../../src/families/vector-stores/builtIn/searchPassages.ts';
import { removeDocuments, replaceDocuments } from '../../../src/families/vector-stores/builtIn/storeDocuments.ts';
import { Catalogue, type StoreRecord } from '../../../src/families/vector-stores/documents/catalogue.ts';
import { presentUids, removeOrphans } from '../../../src/families/vector-stores/documents/orphans.ts';
import type { EmbeddedDocument } from '../../../src/ports/knowledge/documents.ts';
import type { PassageFiles } from '../../../src/ports/knowledge/passageFiles.ts';
import type { FaultPlan } from '../memory/faults.ts';
import { MemoryPlatform } from '../memory/platform.ts';
import { memberFiles, passageFolder } from './passages.ts';

export const DETAILS = { embedding_model: 'c/m', chunk_tokens: 400, overlap_tokens: 50 };

/** A document of which each line is a passage; a line may overlap with nothing. */
export function document(
  id: string,
  lines: readonly string[],
  vectors: readonly (readonly number[])[],
  metadata: Json = {},
): EmbeddedDocument {
  const text = lines.join('\n');
  let start = 0;
  const passages = lines.map((line, index) => {
    const passage = { start, end: start + line.length, vector: Float32Array.from(vectors[index] ?? [1, 0]) };
    start += line.length + 1;
    return passage;
  });
  return { id, text, metadata, passages };
}

/** A platform with one store of the kind `BUILT_IN`. */
export class KnowledgeSite {
  readonly platform = new MemoryPlatform();
  #created = 1;

  constructor() {
    this.create();
  }

  get record(): StoreRecord {
    return { _key: 'runbooks', created_at: this.#created };
  }

  create(): void {
    this.#created += 1;
    const record = { ...this.record, name: 'runbooks', type: 'BUILT_IN', details: DETAILS };
    this.platform.records.collection('ml_vector_stores').set(record._key, JSON.stringify(record));
  }

  delete(): void {
    this.platform.records.collection('ml_vector_stores').delete(this.record._key);
  }

  /** All documents of the platform, for another process. */
  dump = (): [string, [string, string][]][] =>
    [...this.platform.records.collections].map(([name, docs]) => [name, [...docs]]);

  load(dump: [string, [string, string][]][]): void {
    for (const [name, docs] of dump) {
      const collection = this.platform.records.collection(name);
      collection.clear();
      for (const [key, text] of docs) collection.set(key, text);
    }
  }

  member(folder: string = passageFolder()): Member {
    return new Member(this, folder);
  }
}

/** A process of a member of the cluster. */
export class Member {
  readonly folder: string;
  readonly #site: KnowledgeSite;
  readonly files: PassageFiles;

  constructor(site: KnowledgeSite, folder: string, files: PassageFiles = memberFiles(folder)) {
    this.#site = site;
    this.folder = folder;
    this.files = files;
  }

  #of(faults?: FaultPlan) {
    const stores = this.#site.platform.process(faults);
    return { stores, files: this.files, catalogue: new Catalogue(stores, this.#site.record) };
  }

  catalogue = (): Catalogue => this.#of().catalogue;

  replace = (documents: readonly EmbeddedDocument[], faults?: FaultPlan): Promise<void> =>
    replaceDocuments(this.#of(faults).catalogue, DETAILS, documents);

  remove = (ids: readonly string[] | 'all', faults?: FaultPlan): Promise<number> =>
    removeDocuments(this.#of(faults).catalogue, ids);

  async search(query: Partial<Parameters<typeof searchPassages>[1]>, faults?: FaultPlan) {
    using deadline = startDeadline(60_000);
    return searchPassages(this.#of(faults), { text: '', vector: undefined, count: 100, ...query }, deadline);
  }

  /** Texts of all passages, by the vectors. */
  async texts(vector: readonly number[] = [1, 0]): Promise<string[]> {
    const found = await this.search({ vector: Float32Array.from(vector), searchType: 'semantic' });
    return found.map(({ text }) => text).sort();
  }

  async follow(): Promise<void> {
    using deadline = startDeadline(60_000);
    await followedFile(this.#of(), deadline);
  }

  async sweep(): Promise<void> {
    const { stores } = this.#of();
    await removeOrphans(stores);
    await this.files.sweep(() => presentUids(stores.records));
  }
}
