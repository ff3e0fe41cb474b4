import type { Static } from 'typebox';
import { auditedUser, type CountedWork } from '../../contract/audit.ts';
import type { Json } from '../../contract/basics.ts';
import type { Caller } from '../../contract/caller.ts';
import { Fault } from '../../contract/codes/faults.ts';
import { unlessAborted } from '../../domain/async/deadline.ts';
import type {
  DocumentFailure,
  EmbeddingTerms,
  OpenStore,
  StoreDocuments,
} from '../../families/vector-stores/public.ts';
import type { Outgoing, Walk } from '../../masking/outgoing.ts';
import { NO_TOKENS, type Tokens } from '../../metering/tokens.ts';
import type { EmbeddedDocument } from '../../ports/knowledge/documents.ts';
import type { Upstream } from '../../ports/platform/upstream.ts';
import { cutText } from '../knowledge/cut.ts';
import {
  assertDocuments,
  assertSelection,
  type DeleteInput,
  type GivenDocument,
  type IndexInput,
} from '../knowledge/documents.ts';
import type { DeleteDocumentsReply, IndexReply } from '../knowledge/schemas.ts';
import { storeScope } from '../masking/answers.ts';
import { withCheckedBodies } from '../masking/chats.ts';
import { maskFor } from '../masking/masker.ts';
import { mapStrings } from '../masking/strings.ts';
import type { Operation, OperationContext, OperationResult, Target } from '../operation.ts';
import { embedForStore } from './lentEmbed.ts';
import { storePlan, storeTarget } from './storePlan.ts';

/** Passages of one request; no store takes more. */
const MAX_PASSAGES = 100_000;

interface PlainDocument {
  id: string;
  text: string;
  metadata: Json;
}

type Written = Pick<OperationResult<unknown>, 'tokens' | 'charge'> & {
  passages: number;
  /** By the place of their document. */
  failures: ReadonlyMap<number, DocumentFailure>;
};

/** A store that documents can be written to. */
interface WritableStore extends OpenStore {
  documents: StoreDocuments;
}

/** Writes documents into a vector store: masks them, cuts them into passages, has these embedded, and replaces what was there. */
export const indexDocuments: Operation<IndexInput, Target, Written, Static<typeof IndexReply>> = {
  name: 'index',
  row: 'indexDocuments',
  flag: 'vector_stores',
  async open(context, body) {
    assertDocuments(body);
    const { caller, use } = context;
    const store = await writableStore(context, body.store);
    const { embedding } = store;
    if (!embedding) throw cannotWrite(store);
    return async () => ({
      ...storePlan(store),
      input: body.documents,
      send: (upstream) =>
        counted(context, store, 'index', caller, async () => {
          const work = new Indexing(context, store, embedding, upstream);
          return work.write(body.documents);
        }),
      result({ failures, passages, tokens, charge }) {
        const failed = [...failures]
          .sort(([a], [b]) => a - b)
          .map(([index, { code, message }]) => {
            const { id } = body.documents[index] as GivenDocument;
            return { id, error_code: code, message };
          });
        const indexed = body.documents.length - failed.length;
        const response = { indexed, passages, failed, usage: usageOf(tokens, charge?.cost) };
        return { response, tokens, charge, output: { indexed, passages, failed }, warnings: use.warnings };
      },
    });
  },
};

/** Deletes documents that this app wrote. */
export const deleteDocuments: Operation<DeleteInput, Target, number, Static<typeof DeleteDocumentsReply>> = {
  name: 'index',
  row: 'deleteDocuments',
  flag: 'vector_stores',
  async open(context, body) {
    assertSelection(body);
    const { caller, use } = context;
    const { ids } = body;
    const store = await writableStore(context, body.store);
    return async () => ({
      ...storePlan(store),
      input: ids ? { ids } : { all: true },
      send: (upstream) =>
        counted(context, store, 'delete', caller, () =>
          upstream.request(() =>
            unlessAborted(store.documents.remove(ids ? [...new Set(ids)] : 'all', upstream), upstream.signal),
          ),
        ),
      result: (deleted) => ({
        response: { deleted },
        ...{ tokens: NO_TOKENS, charge: undefined, output: { deleted }, warnings: use.warnings },
      }),
    });
  },
};

/** @throws Fault `not_found`, `acl_denied`, `not_supported` */
async function writableStore({ deps, caller }: OperationContext, name: string): Promise<WritableStore> {
  const store = await deps.openStore(caller, name);
  store.assertMayWrite();
  if (!store.documents) throw cannotWrite(store);
  return { ...store, documents: store.documents };
}

const cannotWrite = ({ name, type }: OpenStore) =>
  new Fault('not_supported', `No documents can be written into the vector store ${name}: its type is ${type}`);

/** Writes of one user into one store within an hour are one entry. */
function counted<T>(
  { deps: { stores, entries, origin } }: OperationContext,
  { name }: OpenStore,
  action: 'index' | 'delete',
  caller: Caller,
  work: () => Promise<T>,
): Promise<T> {
  const via = origin.sid === undefined ? 'rest' : 'search';
  const entry: CountedWork = {
    ...auditedUser(caller),
    ...{ request_id: origin.requestId, via, action, family: 'vector-stores', name },
  };
  return stores.audit.runCounted(entries, entry, work);
}

function usageOf({ input }: Tokens, cost: number | undefined): Static<typeof IndexReply>['usage'] {
  return { prompt_tokens: input, total_tokens: input, ...(cost === undefined ? {} : { cost }) };
}

/** The id is a name, like those of fields. */
const withDocumentTexts: Walk<PlainDocument> = (document, replace, keep, read) => {
  keep(document.id);
  for (const name of Object.keys(document.metadata)) keep(name);
  read(document.metadata);
  return { ...document, text: replace(document.text), metadata: mapStrings(document.metadata, replace) };
};

/** The documents of one request on their way into a store. */
class Indexing {
  readonly #context: OperationContext;
  readonly #store: WritableStore;
  readonly #terms: EmbeddingTerms;
  readonly #upstream: Upstream;
  readonly #failures = new Map<number, DocumentFailure>();

  constructor(context: OperationContext, store: WritableStore, terms: EmbeddingTerms, upstream: Upstream) {
    this.#context = context;
    this.#store = store;
    this.#terms = terms;
    this.#upstream = upstream;
  }

  /** @throws Fault, OutboundError where not a single document is the cause */
  async write(documents: readonly GivenDocument[]): Promise<Written> {
    const masked = await this.#masked(documents);
    const { embedded, ...spent } = await this.#embedded(masked);
    const entries = [...embedded];
    if (entries.length > 0) {
      const outgoing = entries.map(([, document]) => document);
      const results = await this.#replaced(outgoing);
      for (const [place, failure] of results.entries()) {
        const [index] = entries[place] as (typeof entries)[number];
        if (failure) this.#failures.set(index, failure);
      }
    }
    const written = entries.filter(([index]) => !this.#failures.has(index));
    const passages = written.reduce((sum, [, document]) => sum + document.passages.length, 0);
    return { ...spent, passages, failures: this.#failures };
  }

  /** By the place of each document. */
  async #masked(documents: readonly GivenDocument[]): Promise<Map<number, Outgoing<PlainDocument>>> {
    const { use } = this.#context;
    const masked = new Map<number, Outgoing<PlainDocument>>();
    let isMasked = false;
    for (const [index, { id, text, metadata = {} }] of documents.entries()) {
      const task = {
        operation: 'index',
        target: storeTarget(this.#store),
        scope: storeScope(this.#store.name),
      } as const;
      try {
        const document = { id, text, metadata: metadata as Json };
        const { content, masked: replaced } = await maskFor(this.#context, task, document, withDocumentTexts);
        isMasked ||= replaced !== undefined;
        masked.set(index, content);
      } catch (error) {
        if (!(error instanceof Fault) || error.code !== 'content_refused') throw error;
        this.#failures.set(index, error);
      }
    }
    if (isMasked) use.input = [...masked.values()].map(({ id, text, metadata }) => ({ id, text, metadata }));
    return masked;
  }

  async #embedded(documents: ReadonlyMap<number, Outgoing<PlainDocument>>) {
    const { chunkTokens, overlapTokens, model } = this.#terms;
    const passages = [...documents].flatMap(([owner, { text }]) =>
      cutText(text, { chunkTokens, overlapTokens }).map((cut) => ({
        owner,
        ...cut,
        text: cut.context ? `${cut.context}\n${text.slice(cut.start, cut.end)}` : text.slice(cut.start, cut.end),
      })),
    );
    if (passages.length > MAX_PASSAGES) throw storeFull(passages.length);
    const empty = { tokens: NO_TOKENS, charge: undefined };
    const { response, tokens, charge } =
      passages.length === 0
        ? { response: { vectors: [], failures: new Map() }, ...empty }
        : await embedForStore(this.#context, this.#upstream, {
            ...{ store: this.#store.name, reference: model, inputType: 'document', failsAlone: true },
            texts: passages,
          });
    for (const [owner, { code, message }] of response.failures) this.#failures.set(owner, { code, message });
    const byOwner = Map.groupBy(
      passages.map((passage, index) => ({ ...passage, vector: response.vectors[index] })),
      ({ owner }) => owner,
    );
    const embedded = new Map<number, Outgoing<EmbeddedDocument>>();
    for (const [owner, document] of documents) {
      const own = byOwner.get(owner) ?? [];
      if (own.length === 0) this.#failures.set(owner, NO_TEXT);
      if (this.#failures.has(owner)) continue;
      const vectors = own.map(({ start, end, context, vector }) => ({
        start,
        end,
        context,
        vector: vector as Float32Array,
      }));
      embedded.set(owner, { ...document, passages: vectors });
    }
    return { embedded, tokens, charge };
  }

  #replaced(documents: readonly Outgoing<EmbeddedDocument>[]) {
    const { documents: target } = this.#store;
    return withCheckedBodies(() =>
      this.#upstream.request(() => unlessAborted(target.replace(documents, this.#upstream), this.#upstream.signal)),
    );
  }
}

const NO_TEXT: DocumentFailure = { code: 'validation_failed', message: 'The text has nothing but white space' };

const storeFull = (count: number) =>
  new Fault('store_full', `These documents have ${count} passages; a vector store takes ${MAX_PASSAGES}`);
