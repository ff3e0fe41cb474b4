import { expect } from 'chai';
import { type Json, MemoryApp } from '../../support/memory/app.ts';
import { type FaultMode, FaultPlan } from '../../support/memory/faults.ts';

/** A record with the key `old`, and a rotation of it. */
interface Rotation {
  path: string;
  collection: string;
  method: string;
  made: Json;
  rotated(key: string): Json;
  /** Whether the server takes the key `new`. */
  serve(app: MemoryApp, isServed: boolean): void;
}

const llm = (key: string) => ({
  service: 'General_Chat',
  connection_name: 'x',
  model: 'm',
  servicesettings: { endpoint: { value: 'https://a.example/v1' }, access_token: { value: key } },
});

const ROTATIONS: Record<string, Rotation> = {
  'MCP connections': {
    path: '/mcp_connection',
    collection: 'ml_mcp_connections',
    method: 'PUT',
    made: { name: 'x', type: 'PLATFORM', details: { url: 'https://a.example/mcp', token: 'old' } },
    rotated: (token) => ({ name: 'x', details: { token } }),
    serve: (app, isServed) => {
      app.peers.accepted = new Set(isServed ? ['new'] : []);
    },
  },
  'LLM configurations': {
    path: '/aicommander',
    collection: 'ml_llm_connections',
    method: 'POST',
    made: llm('old'),
    rotated: llm,
    serve: (app, isServed) => {
      app.llm.answer = () => (isServed ? { json: { data: [{ id: 'm' }] } } : { status: 401, json: {} });
    },
  },
};

describe('a verified rotation, when a call to the stores goes wrong', () => {
  for (const [what, { path, collection, method, made, rotated, serve }] of Object.entries(ROTATIONS)) {
    const rotate = (app: MemoryApp, faults?: FaultPlan) => {
      const body = Buffer.from(JSON.stringify(rotated('new')));
      const query: [string, string][] = [['verify', 'true']];
      return app.request({ method, path: `/ml${path}`, query, body, sessionToken: 'editor' }, faults);
    };
    /** The key that is stored, and whether the record says that it was tested. */
    const storedState = (app: MemoryApp): [unknown, boolean] => {
      const [record] = app.site.records.all(collection);
      const secrets = JSON.parse(app.site.secrets.values.get(String(record?.secret_ref)) ?? '{}');
      return [Object.values(secrets)[0], JSON.stringify(record).includes('tested_at')];
    };

    async function check(at: number, mode: FaultMode, isServed: boolean): Promise<number> {
      const app = new MemoryApp();
      app.user('editor', {
        capabilities: ['edit_agent_connections', 'edit_ai_commander_config', 'list_ai_commander_config'],
      });
      await app.call('editor', 'POST', path, made);
      serve(app, isServed);
      const faults = new FaultPlan(at, mode);
      const { status } = await rotate(app, faults);
      const where = `${mode} at call ${at} (${faults.trace.slice(0, at).join(', ')})`;
      const [key, isTested] = storedState(app);
      expect([key, isTested], where).to.be.deep.oneOf([
        ['old', false],
        ['new', true],
      ]);
      if (!isServed)
        expect([key, status], where).to.be.deep.oneOf([['old', 409], ...[500, 503].map((no) => ['old', no])]);
      if (status === 200) expect(key, where).to.equal('new');
      expect(app.leaks('"old"', '"new"'), where).to.deep.equal([]);

      // Another process, after every lease has run out.
      app.site.clock.advance(120_000);
      serve(app, true);
      expect((await rotate(app)).status, `${where}: afterwards`).to.equal(200);
      expect(storedState(app), where).to.deep.equal(['new', true]);
      expect(app.site.orphans(collection), where).to.deep.equal([]);
      expect(app.site.records.all('ml_journal'), where).to.deep.equal([]);
      return faults.calls;
    }

    for (const mode of ['crash', 'refused', 'lost'] as const) {
      it(`${what}: ${mode} at every call, whether or not the new key works`, async () => {
        for (const isServed of [true, false]) {
          let at = 1;
          while ((await check(at, mode, isServed)) >= at) at += 1;
          expect(at, 'the calls of a whole rotation').to.be.above(isServed ? 10 : 1);
        }
      });
    }
  }
});
