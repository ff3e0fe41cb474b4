import { readdirSync } from 'node:fs';
import { expect } from 'chai';
import { removeDocuments, replaceDocuments } from '../../../src/families/vector-stores/builtIn/storeDocuments.ts';
import { Catalogue, type StoreRecord } from '../../../src/families/vector-stores/documents/catalogue.ts';
import type { EmbeddedDocument } from '../../../src/ports/knowledge/documents.ts';
import { memberFiles, passageFolder } from '../../support/knowledge/passages.ts';
import { DETAILS, document } from '../../support/knowledge/site.ts';
import type { Json, MemoryApp } from '../../support/memory/app.ts';
import { gatewayApp } from '../gatewayApp.ts';

const MODEL = 'up/m1';
const STORE = { name: 'Runbooks', type: 'BUILT_IN', details: { embedding_model: MODEL } };
const VECTORS = [[1, 0]];
const WRITTEN = { ...DETAILS, embedding_model: MODEL };

describe('documents of a store in the platform', () => {
  let app: MemoryApp;
  let folder: string;
  beforeEach(async () => {
    app = await gatewayApp();
    folder = passageFolder();
    app.passageFiles = memberFiles(folder);
    app.user('editor', { capabilities: ['edit_agent_connections', 'use_ai_gateway', 'list_ai_commander_config'] });
    app.user('reader', { capabilities: ['use_ai_gateway'] });
    app.user('stranger', { roles: ['other'], capabilities: ['use_ai_gateway'] });
    await make();
  });
  const make = async () => {
    const acl = { sharing: 'app', perms: { read: ['user'] } };
    expect((await app.call('editor', 'POST', '/vector_stores', { ...STORE, acl })).status).to.equal(200);
  };
  const catalogue = () => {
    const record = app.site.records.all('ml_vector_stores').find(({ name }) => name === 'Runbooks') as never;
    return new Catalogue(app.site.process(), record as StoreRecord);
  };
  const write = (documents: readonly EmbeddedDocument[]) => replaceDocuments(catalogue(), WRITTEN, documents);
  const list = (query = '', user = 'editor') => app.call(user, 'GET', `/ai_gateway/index?store=runbooks${query}`);
  const ids = (json: Json) => (json.result as Json[]).map(({ id }: Json) => id);
  const update = (details: Json) => app.call('editor', 'PUT', '/vector_stores', { name: 'Runbooks', details });
  const test = (body: Json = {}) => app.call('editor', 'POST', '/vector_stores/test', { name: 'Runbooks', ...body });

  it('are listed with their passages and metadata, in pages, sorted and searched', async () => {
    const empty = await list();
    expect(empty.json.result).to.deep.equal([]);
    expect(empty.json.pagination.total).to.equal(0);
    await write([document('b', ['1', '2'], VECTORS, { team: 'dba', n: [1, 'x'] })]);
    app.site.clock.advance(5000);
    await write([
      document('a', ['1'], VECTORS),
      document('Restart c', ['1'], VECTORS),
      document('gone', ['1'], VECTORS),
    ]);
    await removeDocuments(catalogue(), ['gone']);
    const { status, json } = await list();
    expect([status, json.status, json.message]).to.deep.equal([200, 'success', '3 documents']);
    expect(json.result[2]).to.deep.equal({
      ...{ id: 'b', passages: 2, metadata: { team: 'dba', n: [1, 'x'] } },
      updated_at: app.site.clock.seconds() - 5,
    });
    expect(json.pagination).to.deep.equal({
      offset: 0,
      count: 30,
      total: 3,
      returned: 3,
      has_more: false,
      next_offset: null,
    });
    expect(ids((await list('&sort_key=updated_at&sort_dir=asc&count=1')).json)).to.deep.equal(['b']);
    expect(ids((await list('&search=RESTART')).json)).to.deep.equal(['Restart c']);
    const page = await list('&count=2&offset=1&sort_dir=desc');
    expect(ids(page.json)).to.deep.equal(['a', 'Restart c']);
    for (const bad of ['&sort_key=name', '&count=-1', '&offset=x'])
      expect((await list(bad)).json.error_code, bad).to.equal('validation_failed');
  });

  it('are listed for those who may change the store', async () => {
    const codes = async (user: string) => {
      const { status, json } = await list('', user);
      return [status, json.error_code];
    };
    expect(await codes('reader')).to.deep.equal([403, 'acl_denied']);
    expect(await codes('stranger')).to.deep.equal([404, 'not_found']);
    const { status, json } = await app.call('editor', 'GET', '/ai_gateway/index?store=other');
    expect([status, json.error_code]).to.deep.equal([404, 'not_found']);
  });

  it('are none of a knowledge base of a cloud', async () => {
    const details = { cloud_region: 'eu-central-1', kb_id: 'ABCDE12345' };
    const made = await app.call('editor', 'POST', '/vector_stores', { name: 'Bedrock', type: 'CLOUD_KB', details });
    expect(made.status, JSON.stringify(made.json)).to.equal(200);
    const { status, json } = await app.call('editor', 'GET', '/ai_gateway/index?store=Bedrock');
    expect([status, json.error_code]).to.deep.equal([400, 'not_supported']);
  });

  it('keep the model and the size of passages as they are', async () => {
    await write([document('a', ['1'], VECTORS)]);
    for (const [field, value] of Object.entries({
      embedding_model: 'other/m2',
      chunk_tokens: 300,
      overlap_tokens: 10,
    })) {
      const { status, json } = await update({ [field]: value });
      expect([status, json.error_code], field).to.deep.equal([409, 'invalid_state']);
      expect(json.message).to.match(new RegExp(`details.${field} .*delete them first`));
    }
    expect((await update({ chunk_tokens: 400 })).status).to.equal(200);
    await removeDocuments(catalogue(), 'all');
    const { status, json } = await update({ embedding_model: 'other/m2', chunk_tokens: 300 });
    expect([status, json.config.details]).to.deep.equal([
      200,
      { embedding_model: 'other/m2', chunk_tokens: 300, overlap_tokens: 50 },
    ]);
    const late = await write([document('a', ['1'], VECTORS)]).catch((error) => error);
    expect(late.code, 'embedded by the former model').to.equal('store_unavailable');
    expect((await list()).json.result).to.deep.equal([]);
  });

  it('are tested without a provider', async () => {
    const before = app.llm.calls.length;
    const { json } = await test({ query: 'restart' });
    expect([json.success, json.data.type, json.data.reachable]).to.deep.equal([true, 'BUILT_IN', true]);
    expect(json.data).not.to.have.any.keys('kb_id', 'region', 'knowledge_base_status');
    await write([document('a', ['restart it'], VECTORS)]);
    const again = await test({ query: 'restart' });
    expect(again.json.data.steps.map(({ step, status }: Json) => [step, status])).to.deep.equal([
      ['get_knowledge_base', 'success'],
      ['retrieve', 'success'],
    ]);
    expect(app.llm.calls.length).to.equal(before);
    const inline = await app.call('editor', 'POST', '/vector_stores/test', {
      type: 'BUILT_IN',
      details: STORE.details,
    });
    expect([inline.status, inline.json.success]).to.deep.equal([200, true]);
  });

  it('go with their store, and so does the file', async () => {
    await write([document('a', ['1'], VECTORS)]);
    await test({ query: 'x' });
    expect(readdirSync(folder)).not.to.deep.equal([]);
    expect((await app.call('editor', 'DELETE', '/vector_stores/Runbooks')).status).to.equal(200);
    for (const collection of ['ml_documents', 'ml_document_stores', 'ml_document_parts'])
      expect(app.site.records.all(collection), collection).to.deep.equal([]);
    expect(readdirSync(folder)).to.deep.equal([]);
    await make();
    expect((await list()).json.result).to.deep.equal([]);
  });
});
