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

  it('are read once, for one record only those of its kind', async () => {
    await users({ kind: 'mcp', name: 'jira' });
    expect(reads).to.deep.equal([
      ['ml_agents', ['name', 'acl', 'mcps', 'knowledge_bases', 'search_tools', 'llm']],
      ['ml_model_aliases', ['name', 'acl', 'targets']],
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
