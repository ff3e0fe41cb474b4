import { expect } from 'chai';
import { references } from '../../src/app/dependencies/references.ts';
import type { NamedRecord } from '../../src/domain/records/namedRecord.ts';
import type { RecordStore } from '../../src/ports/stores/recordStore.ts';
import { assertNoUsers, readUsers } from '../../src/resources/references.ts';
import { faultOf } from '../support/fault.ts';
import { caller } from '../support/memory/platform.ts';

const acl = (...read: string[]) => ({ owner: 'nobody', sharing: 'app', perms: { read, write: [] } });
const ALL = acl('*');
const DOCUMENTS: Record<string, object[]> = {
  ml_agents: [
    { name: 'z', acl: ALL, mcps: [{ name: 'Jira' }, { name: 'jira' }], llm: { model: 'Team/gpt' } },
    { name: 'hidden', acl: acl('admin'), mcps: [{ name: 'JIRA' }], llm: { model: 'Default' } },
    { name: 'b', acl: ALL, knowledge_bases: ['Docs'], llm: { service: 'groq', connection_name: 'team', model: 'gpt' } },
    { name: 'a', acl: ALL, llm: { service: 'groq', connection_name: 'Team', model: 'draft' } },
    { name: 'none', acl: ALL },
  ],
  ml_model_aliases: [
    { name: 'default', acl: ALL, targets: [{ service: 'groq', connection_name: 'TEAM', model: 'gpt' }] },
  ],
  ml_vector_stores: [
    { name: 'manuals', acl: ALL, details: { embedding_model: 'Fast' } },
    { name: 'notes', acl: ALL, details: { embedding_model: 'other/GPT' } },
    { name: 'embedded in the cloud', acl: ALL, details: { kb_id: 'ABCDEFGHIJ' } },
  ],
  ml_masking_policies: [
    { name: 'of groq', applies_to: { services: ['groq'], connections: ['Other'], aliases: ['Fast'] } },
    { name: 'of any', applies_to: { connections: ['OTHER'] } },
    { name: 'of all', applies_to: {} },
  ],
};

describe('references between records', () => {
  const reads: [string, readonly string[]][] = [];
  const records = {
    async *chunks(collection: string, { fields }: { fields: readonly string[] }) {
      reads.push([collection, fields]);
      yield DOCUMENTS[collection];
    },
  } as unknown as RecordStore;
  beforeEach(() => void reads.splice(0));

  const users = async (named: NamedRecord) =>
    (await readUsers(records, references))(named).map(({ kind, records: those }) => [
      kind,
      ...those.map((r) => r.name),
    ]);
  const llm = (model: string) =>
    ({ kind: 'llm', service: 'groq', connection_name: 'team', models: [model] }) satisfies NamedRecord;

  it('are found in any case, once for each record, in the order of the store', async () => {
    expect(await users({ kind: 'mcp', name: 'jira' })).to.deep.equal([['agents', 'z', 'hidden']]);
    expect(await users({ kind: 'knowledge_base', name: 'docs' })).to.deep.equal([['agents', 'b']]);
    expect(await users({ kind: 'alias', name: 'default' })).to.deep.equal([['agents', 'hidden']]);
    expect(await users({ kind: 'alias', name: 'gpt' })).to.deep.equal([]);
  });

  it('to an LLM configuration name it by its parts or by a model reference, to a connection any model', async () => {
    expect(await users(llm('gpt'))).to.deep.equal([
      ['agents', 'z', 'b'],
      ['aliases', 'default'],
    ]);
    expect(await users(llm('draft'))).to.deep.equal([['agents', 'a']]);
    const connection = { ...llm('gpt'), isConnection: true } as const;
    expect(await users(connection)).to.deep.equal([
      ['agents', 'z', 'b', 'a'],
      ['aliases', 'default'],
    ]);
  });

  it('to a connection without a service name each of its models, in masking policies', async () => {
    const other = (service: string) =>
      ({ kind: 'llm', service, connection_name: 'other', models: ['gpt'] }) satisfies NamedRecord;
    expect(await users(other('groq'))).to.deep.equal([['masking policies', 'of groq', 'of any']]);
    expect(await users(other('openai'))).to.deep.equal([['masking policies', 'of any']]);
    expect(await users({ kind: 'alias', name: 'FAST' })).to.deep.equal([
      ['vector stores', 'manuals'],
      ['masking policies', 'of groq'],
    ]);
  });

  it('in records without access lists are named to those who have the capability', async () => {
    const fast = { kind: 'alias', name: 'fast' } as const;
    const hidden = await faultOf(assertNoUsers(records, caller('eve'), references, fast));
    expect([hidden.message, hidden.extra.used_by]).to.deep.equal([
      'It is used by vector stores: manuals; masking policies: 1 that you may not read. Use force=true to delete it anyway.',
      ['manuals'],
    ]);
    const mara = caller('mara', { capabilities: ['edit_masking'] });
    expect((await faultOf(assertNoUsers(records, mara, references, fast))).extra.used_by).to.deep.equal([
      'manuals',
      'of groq',
    ]);
  });

  it('are read once, for one record only those of its kind', async () => {
    await users({ kind: 'mcp', name: 'jira' });
    expect(reads).to.deep.equal([
      ['ml_agents', ['name', 'acl', 'mcps', 'knowledge_bases', 'search_tools', 'llm']],
      ['ml_model_aliases', ['name', 'acl', 'targets']],
      ['ml_vector_stores', ['name', 'acl', 'details']],
      ['ml_masking_policies', ['name', 'acl', 'applies_to']],
    ]);
    reads.splice(0);
    await faultOf(assertNoUsers(records, caller('eve'), references, { kind: 'mcp', name: 'Jira' }));
    expect(reads).to.deep.equal([['ml_agents', ['name', 'acl', 'mcps']]]);
  });

  it('refuse a deletion, and name only records that the caller may read', async () => {
    const jira = { kind: 'mcp', name: 'jira' } as const;
    const { code, message, extra } = await faultOf(assertNoUsers(records, caller('eve'), references, jira));
    expect([code, extra.used_by]).to.deep.equal(['in_use', ['z']]);
    expect(message).to.include('agents: z, 1 that you may not read.');
    await assertNoUsers(records, caller('eve'), references, { kind: 'mcp', name: 'other' });
  });
});
