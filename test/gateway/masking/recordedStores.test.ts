import { expect } from 'chai';
import type { Json, MemoryApp } from '../../support/memory/app.ts';
import { inputsOf, MemoryStore, storeApp } from '../knowledge/storeApp.ts';
import { heldIn, plantedValues } from './planted.ts';
import { ALL, applyPolicies } from './policies.ts';

const VALUES = 160;
const IN_ONE = 40;

describe('masking: what leaves for a vector store and its embedding model', () => {
  const store = new MemoryStore();
  let app: MemoryApp;
  const values = plantedValues('stores', VALUES);
  const index = (documents: Json[]) => app.call('writer', 'POST', '/ai_gateway/index', { store: 'Manuals', documents });
  const retrieve = (query: string, headers: Json = {}) =>
    app.call('reader', 'POST', '/ai_gateway/retrieve', { store: 'Manuals', query }, headers);
  const embedded = (): string[] => app.llm.calls.flatMap(inputsOf);
  const written = (): string[] =>
    [...store.documents.values()].map(({ id, text, metadata }) => JSON.stringify({ id, text, metadata }));
  const asked = (): string[] => store.queries.map(({ text }) => text);

  beforeEach(async () => {
    app = await storeApp();
  });

  async function fill(): Promise<void> {
    for (let from = 0; from < values.length; from += IN_ONE) {
      const documents = values.slice(from, from + IN_ONE).map(({ text, plain }, place) => ({
        id: `document-${from + place}`,
        text,
        metadata: { about: text, list: [plain, 1] },
      }));
      const { status, json } = await index(documents);
      expect([status, json.indexed], JSON.stringify(json)).to.deep.equal([200, documents.length]);
    }
  }

  it('no planted value leaves where a policy names index and retrieve, and each is found all the same', async () => {
    applyPolicies(app, { kinds: ALL, operations: ['index', 'retrieve'] });
    await fill();
    for (const [place, { text }] of values.entries()) {
      // Searches and other users find what was written by REST.
      const { json } = await retrieve(text, place % 2 === 0 ? {} : { 'x-ml-sid': `1.${place}` });
      const match = json.result.find(({ id }: Json) => id === `document-${place}`);
      expect(match?.text, JSON.stringify([text, json])).to.include(text);
      expect(match.metadata.about).to.equal(text);
    }
    expect(heldIn([...embedded(), ...written(), ...asked()], values)).to.deep.equal([]);
    expect(values.filter((value) => heldIn([value.text], [value]).length === 0)).to.deep.equal([]);
  });

  it('no planted value leaves in the heading above a passage', async () => {
    for (const operation of ['index', 'embeddings'] as const) {
      app = await storeApp();
      applyPolicies(app, { kinds: ALL, operations: [operation] });
      for (const { text } of values.slice(0, IN_ONE))
        await index([{ id: 'a', text: `# ${text.replaceAll('\n', ' ')}\n\nOne.\n\n## Two\n\nThree.` }]);
      expect(embedded().filter((text) => /.\n## Two/.test(text))).to.have.length(IN_ONE);
      expect(heldIn(embedded(), values)).to.deep.equal([]);
    }
  });

  it('no planted value leaves for the model where a policy names embeddings alone, and the store keeps it', async () => {
    applyPolicies(app, { kinds: ALL, operations: ['embeddings'] });
    await fill();
    expect(heldIn(embedded(), values)).to.deep.equal([]);
    expect(heldIn(written(), values)).to.have.length(VALUES);
    for (const [place, { text }] of values.entries()) {
      const { json } = await retrieve(text);
      expect(json.result.map(({ id }: Json) => id)).to.include(`document-${place}`);
      expect(json.ml.masked).to.be.an('object');
    }
    expect(heldIn(embedded(), values)).to.deep.equal([]);
  });

  it('fails a document alone that has what a policy refuses', async () => {
    for (const operation of ['index', 'embeddings'] as const) {
      applyPolicies(app, { kinds: { email: 'refuse' }, operations: [operation] });
      const documents = ['fine', 'write to a.b@c.example', 'fine too'].map((text, id) => ({ id: `${id}`, text }));
      const { status, json } = await index(documents);
      expect([status, json.indexed, json.failed[0].id, json.failed[0].error_code]).to.deep.equal([
        200,
        2,
        '1',
        'content_refused',
      ]);
    }
  });

  it('counts what was masked in the reply, and in the record of the use that sent it', async () => {
    applyPolicies(app, { kinds: ALL, operations: ['index'] }, { kinds: { key: 'mask' }, operations: ['embeddings'] });
    const { json } = await index([{ id: 'a', text: 'On web1.corp.example', metadata: { at: 'web1.corp.example' } }]);
    expect(json.ml.masked).to.deep.equal({ host: 2 });
    await app.gateway.usage.flush();
    const masked = app.events.map(({ event }) => [(event as Json).operation, (event as Json).masked]);
    expect(masked).to.deep.equal([
      ['embeddings', undefined],
      ['index', { host: 2 }],
    ]);
  });
});
