import { expect } from 'chai';
import { containerDocument } from '../../support/records/container.ts';
import type { Answer, OpenWorld } from '../../support/worlds/world.ts';

type Json = Record<string, unknown>;

const MAKER = ['edit_agents', 'run_agents'] as const;
const fields = ({ json }: Answer) => (json.errors ?? []).map((error: { field: string }) => error.field);
const code = ({ status, json }: Answer) => [status, json.error_code];

/** Fields that only the runs of this app read (contract 22), in any world. */
export function agentRunFieldSuite(open: OpenWorld): void {
  const world = open({
    users: { maker: ['maker'] },
    roles: { maker: MAKER },
    collections: ['ml_agents', 'ml_containers', 'ml_audit'],
  });
  const create = (body: object) => world.call('maker', 'POST', '/agents', body);
  const update = (body: object) => world.call('maker', 'PUT', '/agents', body);
  const read = async (name = 'triage') => (await world.call('maker', 'GET', `/agents/${name}`)).json.config;
  const done = async (asked: Promise<Answer>) => {
    const reply = await asked;
    expect(reply.status, JSON.stringify(reply.json)).to.equal(200);
    return reply.json;
  };
  const made = (body: object) => done(create({ name: 'triage', runtime_type: 'BUILT_IN', ...body }));
  beforeEach(() => world.store('ml_containers', containerDocument('answers')));

  describe('typed answers, missing tools, evidence and approvals that end', () => {
    const more = {
      output_schema: { type: 'object', $defs: { n: { type: 'integer' } }, properties: { n: { $ref: '#/$defs/n' } } },
      ...{ on_unavailable: 'continue', check_evidence: false, on_unverified: 'ask_again' },
      ...{ approval_timeout_s: 604_800, on_approval_timeout: 'cancel' },
    };
    const usual = {
      ...{ on_unavailable: 'fail', on_unverified: 'mark' },
      ...{ approval_timeout_s: 0, on_approval_timeout: 'reject' },
    };
    const UNSET = ['output_schema', 'check_evidence'];

    it('stand in the record and in its version; null restores the defaults, which are shown', async () => {
      const { warnings = [] } = await made(more);
      expect(warnings).to.deep.equal([]);
      const config = await read();
      expect(config).to.deep.include(more);
      expect(config.versions[0]).to.deep.include(more);
      expect((await done(update({ ...config, description: 'x' }))).config).to.deep.include(more);
      await done(update({ name: 'triage', output_schema: null, check_evidence: null }));
      await done(update({ name: 'triage', ...usual }));
      const after = await read();
      for (const shown of [after, after.versions[0]]) {
        expect(shown).to.deep.include(usual);
        for (const field of UNSET) expect(shown).to.not.have.property(field);
      }
    });

    it('have their defaults in records of earlier versions', async () => {
      await made({});
      const [record] = (await world.records('ml_agents')) as [Json & { _key: string }];
      const earlier = Object.fromEntries(Object.entries(record).filter(([field]) => !(field in more)));
      await world.remove('ml_agents', record._key);
      await world.store('ml_agents', earlier as typeof record);
      expect(await read()).to.deep.include(usual);
    });

    it('refuses a schema that is too large, is not of an object, or cannot be compiled', async () => {
      const bad: [object, string][] = [
        [{ type: 'object', description: 'x'.repeat(16 * 1024) }, 'must not be longer than 16384 bytes of JSON'],
        [{ type: 'array' }, "its type must be 'object'"],
        [{ properties: {} }, "its type must be 'object'"],
        [{ type: 'object', properties: { a: { type: 'text' } } }, 'cannot be compiled|can be compiled'],
        [{ type: 'object', properties: { a: { $ref: 'https://schema.example/a' } } }, 'can be compiled'],
        [{ type: 'object', properties: { a: { pattern: '(' } } }, 'can be compiled'],
      ];
      await made({ name: 'saved' });
      for (const [output_schema, message] of bad) {
        for (const reply of [
          await create({ name: 'triage', output_schema }),
          await update({ name: 'saved', output_schema }),
        ]) {
          expect([...code(reply), ...fields(reply)], message).to.deep.equal([
            400,
            'validation_failed',
            'output_schema',
          ]);
          expect(reply.json.message).to.match(new RegExp(message));
        }
      }
      expect(await read('saved')).to.not.have.property('output_schema');
    });

    it('are ignored by other runtimes, with a warning', async () => {
      const elsewhere = { name: 'away', runtime_type: 'CONTAINER', runtime: { container: 'answers' } };
      const created = await done(create({ ...elsewhere, ...more, on_unverified: 'mark' }));
      const ignored = 'output_schema, check_evidence, on_unavailable, approval_timeout_s, on_approval_timeout';
      expect(created.warnings).to.deep.equal([
        `${ignored}: ignored by CONTAINER; only runs of BUILT_IN agents have this`,
      ]);
      const changed = await done(update({ name: 'away', ...usual, output_schema: null }));
      expect(changed.warnings).to.deep.equal([
        'check_evidence: ignored by CONTAINER; only runs of BUILT_IN agents have this',
      ]);
      expect((await done(update({ name: 'away', check_evidence: null, ...usual }))).warnings ?? []).to.deep.equal([]);
    });
  });
}
