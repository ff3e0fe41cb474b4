import { expect } from 'chai';
import type { SqlServers } from '../../../src/ports/knowledge/sqlServers.ts';
import type { Json, MemoryApp } from '../../support/memory/app.ts';
import { embedding, storeApp } from '../knowledge/storeApp.ts';
import { heldIn, type PlantedValue, plantedValues } from './planted.ts';
import { ALL, applyPolicies } from './policies.ts';

const VALUES = 80;
const IN_ONE = 20;
const DIMENSIONS = 1024;
const NAME = 'Runbooks';
const EMBEDDED = { embedding_model: 'up/embed' };

/** A server in memory: what reached it, as text, and how a store on it is made. */
interface Recorder {
  type: string;
  details: Json;
  bytes: string[];
  listen(app: MemoryApp): void;
}

function recordedIndex(): Recorder {
  const bytes: string[] = [];
  const properties = { embedding: { type: 'knn_vector', dimension: DIMENSIONS }, body: { type: 'text' } };
  const answerTo = (url: string): Json => {
    if (url.includes('_mapping')) return { docs: { mappings: { properties } } };
    return url.includes('_mget') ? { docs: [] } : { errors: false, hits: { hits: [] } };
  };
  return {
    type: 'OPENSEARCH',
    details: {
      ...{ url: 'https://search.example', index: 'docs', vector_field: 'embedding', text_field: 'body' },
      ...{ metadata_field: 'facts', ...EMBEDDED },
    },
    bytes,
    listen(app) {
      app.llm.answer = (call) => {
        if (!call.url.startsWith('https://search.example')) return embedding(call);
        bytes.push(JSON.stringify([call.url, call.headers]), call.body ?? '');
        return { json: answerTo(call.url) };
      };
    },
  };
}

function recordedTable(): Recorder {
  const bytes: string[] = [];
  const columns = { id: 'text', body: 'text', embedding: 'vector', facts: 'jsonb' };
  const servers: SqlServers = {
    async connected(access, _deadline, work) {
      bytes.push(JSON.stringify(access));
      return work({
        async query(statement, values = []) {
          bytes.push(statement, ...values.flat().map(String));
          if (!statement.includes('pg_attribute')) return [];
          const facts = { schema: 'public', modifier: '-1', indexes: null, version: '0.8.0' };
          return Object.entries(columns).map(([name, type]) => ({ name, type, ...facts }));
        },
      });
    },
  };
  return {
    type: 'PGVECTOR',
    details: {
      ...{ host: 'db.example', database: 'kb', table: 'docs', username: 'splunk', ...EMBEDDED },
      ...{ id_column: 'id', text_column: 'body', vector_column: 'embedding', metadata_column: 'facts' },
    },
    bytes,
    listen(app) {
      app.llm.answer = embedding;
      app.sqlServers = servers;
    },
  };
}

describe('masking: what leaves for servers of vector stores', () => {
  const values = plantedValues('servers', VALUES);

  for (const makeRecorder of [recordedIndex, recordedTable]) {
    const { type } = makeRecorder();
    describe(type, function () {
      this.timeout(30_000);
      let app: MemoryApp;
      let recorder: Recorder;
      beforeEach(async () => {
        recorder = makeRecorder();
        app = await storeApp();
        recorder.listen(app);
        const acl = { sharing: 'app', perms: { read: ['*'], write: ['writers'] } };
        const made = await app.call('maker', 'POST', '/vector_stores', {
          name: NAME,
          type,
          details: recorder.details,
          acl,
        });
        expect(made.status, JSON.stringify(made.json)).to.equal(200);
      });

      async function fill(): Promise<void> {
        for (let from = 0; from < values.length; from += IN_ONE) {
          const documents = values.slice(from, from + IN_ONE).map(({ text, plain }, place) => ({
            id: `document-${from + place}`,
            text,
            metadata: { about: text, list: [plain, 1] },
          }));
          const { json } = await app.call('writer', 'POST', '/ai_gateway/index', { store: NAME, documents });
          expect(json.indexed, JSON.stringify(json)).to.equal(documents.length);
        }
      }

      async function askAll(): Promise<void> {
        for (const { text, plain } of values) {
          const filter = {
            orAll: [{ equals: { key: 'about', value: text } }, { in: { key: 'list', value: [plain] } }],
          };
          for (const search_type of ['semantic', 'hybrid']) {
            const { status, json } = await app.call('reader', 'POST', '/ai_gateway/retrieve', {
              ...{ store: NAME, query: text, search_type, filter },
            });
            expect(status, JSON.stringify(json)).to.equal(200);
          }
        }
      }

      const held = (): PlantedValue[] => heldIn(recorder.bytes, values);

      it('gets no planted value where a policy names index and retrieve', async () => {
        applyPolicies(app, { kinds: ALL, operations: ['index', 'retrieve'] });
        await fill();
        expect(recorder.bytes.join('\n')).to.include('document-0#0');
        expect(held()).to.deep.equal([]);
        await askAll();
        expect(held()).to.deep.equal([]);
      });

      it('gets all of them where no policy does, by documents and by queries', async () => {
        await fill();
        expect(held()).to.have.length(VALUES);
        recorder.bytes.length = 0;
        await askAll();
        expect(held()).to.have.length(VALUES);
      });
    });
  }
});
