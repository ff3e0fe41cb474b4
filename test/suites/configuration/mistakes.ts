import { expect } from 'chai';
import { expectCode, expectFields, fieldsOf, summarize } from '../../support/replies.ts';
import type { OpenWorld } from '../../support/worlds/world.ts';
import { connection, documentOf, openKeeper } from './kit.ts';
import type { Json } from './site.ts';

const MEGABYTE = 1024 * 1024;

/** Invalid documents, in any world. */
export function mistakeSuite(open: OpenWorld): void {
  const kit = openKeeper(open);
  const { world } = kit;

  describe('in the document as a whole: 400, all of them at once, each with its place', () => {
    it('format, version, family, types and names', async () => {
      const reply = await kit.send({
        format: 'another',
        format_version: 2,
        records: [
          connection('a'),
          { ...connection('b'), family: 'mcp-connection' },
          { ...connection('c'), spec: [] },
          { family: 'agents', spec: {} },
          connection('A '),
          { ...connection('d'), secrets: 'details.token', acl: 'mine' },
          7,
        ],
      });
      expectFields(
        reply,
        'document.format',
        'document.format_version',
        'document.records.1.family',
        'document.records.2.spec',
        'document.records.3.name',
        'document.records.5.secrets',
        'document.records.5.acl',
        'document.records.6',
        'document.records.4.name',
      );
      const messages = Object.fromEntries(reply.json.errors.map(({ field, message }: Json) => [field, message]));
      expect(messages['document.format_version']).to.equal('must be 1, the only version that this release reads');
      expect(messages['document.records.1.family']).to.contain('mcp-connections');
      expect(messages['document.records.4.name']).to.equal('names the same record as document.records.0');
    });

    it('names that differ in case alone, where case does not count', async () => {
      const llm = (name: string) => ({ family: 'llm-providers', name, spec: {} });
      expectFields(
        await kit.send(
          documentOf(
            llm('General_Chat/Team/m'),
            llm('General_Chat/team/m'),
            llm('General_Chat/Team/M'),
            { family: 'experiments', name: 'Disk', spec: {} },
            { family: 'experiments', name: 'disk', spec: {} },
          ),
        ),
        'document.records.1.name',
        'document.records.4.name',
      );
    });

    it('no document, an unknown mode, secrets of the wrong shape', async () => {
      expectFields(await kit.call('POST', '/import', {}), 'document');
      const secrets = { 'mcp-connections/a': { 'details.token': 7, other: '' }, x: 'y' };
      const reply = await kit.send(documentOf(), { mode: 'do', on_existing: 'keep', include_agents: 'yes', secrets });
      expectFields(
        reply,
        'mode',
        'on_existing',
        'secrets.mcp-connections/a.details.token',
        'secrets.mcp-connections/a.other',
        'secrets.x',
        'include_agents',
      );
      expectFields(
        await kit.send(documentOf(), { secrets: { 'mcp-connections/a': {}, 'mcp-connections/A': {} } }),
        'secrets.mcp-connections/A',
      );
      expectCode(await kit.call('POST', '/import', '{"document":' as never), 400, 'malformed_json');
    });

    it('nested without end, in a spec or beside it', async () => {
      const deep = `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`;
      const text = JSON.stringify({ document: documentOf(connection('a', { tools: 'HERE' }), connection('b')) });
      expectFields(await kit.call('POST', '/import', text.replace('"HERE"', deep) as never), 'document.records.0.spec');
      const list = text.replace('"HERE"', `${'['.repeat(100_000)}${']'.repeat(100_000)}`);
      expectFields(await kit.call('POST', '/import', list as never), 'document.records.0.spec');
    });

    it('more than 1,000 records; more than 8 MB', async () => {
      const many = Array.from({ length: 1001 }, (_, n) => connection(`c${n}`));
      const reply = await kit.send(documentOf(...many));
      expectFields(reply, 'document.records');
      expect(reply.json.errors[0].message).to.equal('must be a list of at most 1000 records');
      const body = (bytes: number) => {
        const text = JSON.stringify({ document: documentOf(connection('a', { description: 'HERE' })) });
        return text.replace('HERE', 'x'.repeat(bytes - text.length + 4));
      };
      expect(body(8 * MEGABYTE)).to.have.length(8 * MEGABYTE);
      const tooLarge = await kit.call('POST', '/import', body(8 * MEGABYTE) as never);
      expect(tooLarge.status, summarize(tooLarge)).to.equal(200);
      expect(tooLarge.json.result[0]).to.include({ action: 'blocked' });
      expectCode(await kit.call('POST', '/import', body(8 * MEGABYTE + 1) as never), 413, 'payload_too_large');
    });

    it('half of a character', async () => {
      const text = JSON.stringify({ document: documentOf(connection('a', { description: 'HERE' })) });
      const reply = await kit.call('POST', '/import', text.replace('HERE', '\\ud800') as never);
      expect(fieldsOf(reply)).to.deep.equal(['document.records.0.spec.description']);
    });
  });

  describe('in a spec: problems of that record, and the others go on', () => {
    it('every one of them, in the words of the family', async () => {
      const broken = {
        type: 'OTHER',
        details: { url: 'ftp://x', client_id: 7, token: 'canary-7c41d0-inline' },
        tools_allowed: 'all',
      };
      const reply = await kit.apply(documentOf(connection('bad', broken), connection('good')));
      const [bad, good] = reply.json.result;
      expect(good).to.include({ action: 'create', outcome: 'done' });
      expect(bad).to.include({ action: 'blocked', error_code: 'validation_failed' });
      expect(bad).to.not.have.property('outcome');
      expect(bad.problems.map(({ field }: Json) => field)).to.have.members([
        'type',
        'details.client_id',
        'tools_allowed',
        'details.token',
        'details.url',
      ]);
      expect(await world.records('ml_mcp_connections')).to.have.length(1);
    });

    it('an update that lacks what a POST needs', async () => {
      await kit.apply(documentOf(connection('a')));
      const one = await kit.planOne({ family: 'mcp-connections', name: 'a', spec: { name: 'a' } });
      expect(one).to.include({ action: 'blocked' });
      expect((one.problems as Json[]).map(({ field }) => field)).to.include.members(['type', 'details']);
    });

    it('another name in the spec than beside it', async () => {
      for (const record of [
        connection('a', { name: 'b' }),
        { family: 'experiments', name: 'a', spec: { title: 'b', type: 'smart_forecast' } },
        { family: 'agents', name: 'a', spec: { name: 'b' } },
        {
          family: 'container-connections',
          name: 'kubernetes/a',
          spec: { container_type: 'docker', connection_name: 'a', docker_url: '/x' },
        },
        {
          family: 'llm-providers',
          name: 'General_Chat/a/m',
          spec: { service: 'General_Chat', connection_name: 'a', model: 'n' },
        },
      ]) {
        const one = await kit.planOne(record);
        expect(one.action, JSON.stringify(record)).to.equal('blocked');
        expect((one.problems as Json[]).map(({ field }) => field)).to.include('name');
      }
    });

    it('a field that no one knows is ignored, and named with its place', async () => {
      const { json } = await kit.plan(
        documentOf(connection('a'), { ...connection('b', { descripton: 'x' }), extra: 1 }),
      );
      expect(json.warnings).to.have.members([
        'Unknown field ignored: document.records.1.extra',
        'Unknown field ignored: document.records.1.spec.descripton',
      ]);
      expect(json.summary).to.include({ create: 2 });
    });

    it('settings that models of one connection have in common, and that differ', async () => {
      const llm = (model: string, address: string) => ({
        family: 'llm-providers',
        name: `Local_Runtime/box/${model}`,
        spec: {
          ...{ service: 'Local_Runtime', connection_name: 'box', model },
          servicesettings: { endpoint: { value: address } },
        },
      });
      const { json } = await kit.plan(
        documentOf(llm('a', 'http://one'), llm('b', 'http://two'), llm('c', 'http://one')),
      );
      expect(json.result.map(({ action }: Json) => action)).to.deep.equal(['create', 'blocked', 'create']);
      expect(json.result[1].problems[0]).to.include({ field: 'servicesettings' });
    });
  });
}
