import { expect } from 'chai';
import { builtIn } from '../../../src/families/vector-stores/kinds/builtIn.ts';
import type { DocumentFailure, VectorQuery } from '../../../src/families/vector-stores/public.ts';
import type { Outgoing } from '../../../src/masking/outgoing.ts';
import { checkBody } from '../../../src/masking/outgoing.ts';
import type { Passage } from '../../../src/ports/cloud/passages.ts';
import type { EmbeddedDocument } from '../../../src/ports/knowledge/documents.ts';
import type { HttpCall } from '../../../src/ports/llm/http.ts';
import type { Json, MemoryApp } from '../../support/memory/app.ts';
import { configure, gatewayApp } from '../gatewayApp.ts';

/** What all stores of type BUILT_IN are, for the tests of the `describe` that it is made in. */
export class MemoryStore {
  readonly documents = new Map<string, EmbeddedDocument>();
  queries: VectorQuery[] = [];
  /** Thrown by each call. */
  failure: Error | undefined;
  refuse: (document: EmbeddedDocument) => DocumentFailure | undefined = () => undefined;
  writes = 0;

  constructor() {
    const kind = { ...builtIn };
    before(() => {
      builtIn.search = () => async (query) => this.#search(query);
      builtIn.documents = () => ({
        replace: async (documents) => this.#replace(documents),
        remove: async (ids) => this.#remove(ids),
      });
    });
    beforeEach(() => {
      this.documents.clear();
      this.queries = [];
      this.failure = undefined;
      this.refuse = () => undefined;
      this.writes = 0;
    });
    after(() => {
      delete builtIn.documents;
      Object.assign(builtIn, kind);
    });
  }

  /** Texts of all passages, in the order of ids. */
  get passages(): string[] {
    return [...this.documents.values()]
      .sort((a, b) => a.id.localeCompare(b.id))
      .flatMap(({ text, passages }) => passages.map(({ start, end }) => text.slice(start, end)));
  }

  #search(query: Outgoing<VectorQuery>): Passage[] {
    this.queries.push({ ...query });
    if (this.failure) throw this.failure;
    checkBody(query, JSON.stringify({ text: query.text, filter: query.filter }));
    const scored = [...this.documents.values()].flatMap(({ id, text, metadata, passages }) =>
      passages.map(({ start, end, vector }) => ({
        id,
        text: text.slice(start, end),
        score: vector.reduce((sum, value, index) => sum + value * (query.vector?.[index] ?? 0), 0),
        source: { type: 'built_in', uri: id },
        metadata,
      })),
    );
    return scored.sort((a, b) => b.score - a.score).slice(0, query.count);
  }

  #replace(documents: readonly Outgoing<EmbeddedDocument>[]): (DocumentFailure | undefined)[] {
    this.writes += 1;
    if (this.failure) throw this.failure;
    return documents.map((document) => {
      const { id, text, metadata, passages } = document;
      checkBody(document, JSON.stringify({ id, text, metadata }));
      const failure = this.refuse(document);
      if (!failure) this.documents.set(id, { id, text, metadata, passages });
      return failure;
    });
  }

  #remove(ids: readonly string[] | 'all'): number {
    this.writes += 1;
    if (this.failure) throw this.failure;
    const present = (ids === 'all' ? [...this.documents.keys()] : ids).filter((id) => this.documents.has(id));
    for (const id of present) this.documents.delete(id);
    return present.length;
  }
}

const DIMENSIONS = 1024;

/** A vector of the words of a text: texts with the same words are near. */
function bagOfWords(text: string): number[] {
  const vector = new Array<number>(DIMENSIONS).fill(0);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    let hash = 7;
    for (const character of word) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 1_000_003;
    vector[hash % DIMENSIONS] = (vector[hash % DIMENSIONS] as number) + 1;
  }
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => value / length);
}

export const inputsOf = ({ body }: Pick<HttpCall, 'body'>): string[] => JSON.parse(body ?? '{}').input;

export const embedding = (call: Pick<HttpCall, 'body'>) => ({
  json: {
    data: inputsOf(call).map((text, index) => ({ index, embedding: bagOfWords(text) })),
    usage: { prompt_tokens: inputsOf(call).length * 2 },
  },
});

/** All may read, `asker` and whoever writes stores may write. */
const SHARED = { sharing: 'app', perms: { read: ['*'], write: ['writers'] } };

/** An app with the model `up/embed`, and a store `Manuals` of `maker` in which `writer` may write and `reader` may look. */
export async function storeApp(details: Json = {}): Promise<MemoryApp> {
  const app = await gatewayApp();
  app.user('maker', {
    capabilities: ['edit_agent_connections', 'list_ai_commander_config', 'use_ai_gateway'],
  });
  app.user('writer', { roles: ['writers'], capabilities: ['use_ai_gateway'] });
  app.user('reader', { capabilities: ['use_ai_gateway'] });
  await configure(app, 'up', 'embed');
  app.llm.answer = embedding;
  await makeManuals(app, details);
  app.llm.calls.length = 0;
  return app;
}

export async function makeManuals(app: MemoryApp, details: Json = {}, more: Json = {}): Promise<void> {
  const { status, json } = await app.call('maker', 'POST', '/vector_stores', {
    ...{
      name: 'Manuals',
      type: 'BUILT_IN',
      details: { embedding_model: 'up/embed', ...details },
      acl: SHARED,
      ...more,
    },
  });
  expect(status, JSON.stringify(json)).to.equal(200);
}

export const usesOf = async (app: MemoryApp): Promise<Json[]> => {
  await app.gateway.usage.flush();
  return app.events.map(({ event }) => event as Json);
};
