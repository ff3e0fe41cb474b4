import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Json } from '../../../../src/contract/basics.ts';
import type { StoreStored } from '../../../../src/families/vector-stores/definition.ts';
import type { Target } from '../../../../src/resources/target.ts';
import { readBody, sendJson, startHttp } from '../../../support/peers/listen.ts';
import { targetOf } from './worlds.ts';

const MAPPING: Json = { embedding: { type: 'knn_vector', dimension: 4 }, body: { type: 'text' } };

/** Why an item of a bulk request fails. */
interface ItemError {
  status: number;
  reason: string;
}

/** What an index would do, as far as it stores and gives back entries, with faults that a test scripts. */
export class ScriptedIndex {
  readonly entries = new Map<string, Json>();
  /** Paths and headers of all requests. */
  readonly asked: { path: string; authorization: string | undefined; body: string }[] = [];
  fields: Json = { ...MAPPING, facts: { type: 'object' } };
  /** Fields that are left out of what is given back. */
  hidden: readonly string[] = [];
  hits: readonly Json[] = [];
  /** Decides about an item of the bulk request of this number, from 1. */
  judge: (key: string, bulk: number) => ItemError | undefined = () => undefined;
  /** Items that the bulk request of this number does before the connection is lost. */
  endsAfter: (bulk: number) => number = () => Number.POSITIVE_INFINITY;
  /** Answers in place of the index. */
  instead: ((request: IncomingMessage, response: ServerResponse) => void) | undefined;
  bulks = 0;
  #peer: { url: string; close(): Promise<void> } | undefined;

  async start(): Promise<this> {
    this.#peer = await startHttp((request, response) => void this.#answer(request, response));
    return this;
  }

  close = async (): Promise<void> => this.#peer?.close();

  get texts(): Record<string, unknown> {
    return Object.fromEntries([...this.entries].map(([key, { body }]) => [key, body]).sort());
  }

  target = (name: string, details: object = {}, secrets: Record<string, string> = {}): Target<StoreStored> => {
    const fields = { vector_field: 'embedding', text_field: 'body', metadata_field: 'facts', embedding_model: 'c/m' };
    return targetOf('OPENSEARCH', { url: this.#peer?.url, index: name, ...fields, ...details }, secrets);
  };

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request);
    const path = request.url ?? '';
    this.asked.push({ path, authorization: request.headers.authorization, body });
    if (this.instead) this.instead(request, response);
    else if (path.includes('/_bulk')) this.#bulk(body, response);
    else sendJson(response, 200, this.#read(path, body));
  }

  #read(path: string, body: string): Json {
    if (path.includes('/_mapping')) return { docs: { mappings: { properties: this.fields } } };
    if (path.includes('/_search')) return { hits: { hits: this.hits } };
    const { ids } = JSON.parse(body) as { ids: string[] };
    return {
      docs: ids.map((_id) => {
        const entry = this.entries.get(_id);
        if (!entry) return { _id, found: false };
        const shown = Object.entries(entry).filter(([field]) => !this.hidden.includes(field));
        return { _id, found: true, _source: Object.fromEntries(shown) };
      }),
    };
  }

  #bulk(body: string, response: ServerResponse): void {
    this.bulks += 1;
    const lines = body.trimEnd().split('\n');
    const items: Json[] = [];
    for (let line = 0; line < lines.length; line++) {
      const [[action, { _id }]] = Object.entries(JSON.parse(lines[line] ?? '')) as [[string, { _id: string }]];
      const entry = action === 'index' ? (JSON.parse(lines[++line] ?? '') as Json) : undefined;
      if (items.length >= this.endsAfter(this.bulks)) {
        response.destroy();
        return;
      }
      const error = this.judge(_id, this.bulks);
      if (error) items.push({ [action]: { _id, status: error.status, error: { reason: error.reason } } });
      else items.push({ [action]: { _id, status: entry || this.entries.delete(_id) ? 200 : 404 } });
      if (!error && entry) this.entries.set(_id, entry);
    }
    const errors = items.some((item) => Object.values(item).some((result) => (result as Json).error));
    sendJson(response, 200, { errors, items });
  }
}
