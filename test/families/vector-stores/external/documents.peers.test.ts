import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { rejection } from '../../../support/fault.ts';
import { eventually } from '../../../support/time.ts';
import { documentOf, SavedStore } from './saved.ts';
import { serverDependencies, startWorld, worlds } from './worlds.ts';

const FOREIGN = [
  { id: 'theirs', text: 'row of others', vector: [0, 1, 0, 0], metadata: { owner: 'them' } },
  { id: 'taken#1', text: 'another row', vector: [0, 1, 0.1, 0], metadata: { owner: 'them' } },
  { id: 'named', text: 'a third row', vector: [0, 1, 0.2, 0], metadata: {} },
];
const THEIRS = Object.fromEntries(FOREIGN.map(({ id, text }) => [id, text]));
const RUNBOOK = documentOf(
  'runbook',
  [
    [1, 0, 0, 0],
    [1, 0.1, 0, 0],
    [1, 0.2, 0, 0],
  ],
  { owner: 'ops', level: 3 },
);
const SHORT = documentOf('runbook', [[1, 0, 0, 0]], { owner: 'ops', level: 4 });

/** Characters of a version at the beginning of a text. */
const VERSION = 7;

const ourRows = (rows: Record<string, string>) =>
  Object.fromEntries(Object.entries(rows).filter(([key]) => !Object.hasOwn(THEIRS, key)));

describe('documents in tables and indexes of others', () => {
  for (const world of worlds()) {
    describe(world.name, function () {
      this.timeout(120_000);
      startWorld(world);

      let count = 0;
      let name: string;
      let store: SavedStore;
      beforeEach(async () => {
        name = `written-${count++}`;
        await world.create(name, 4);
        await world.put(name, FOREIGN);
        store = await SavedStore.of(world, name);
      });

      it('are written passage by passage, and found under the id of the document', async () => {
        expect(await store.write([RUNBOOK])).to.deep.equal([undefined]);
        expect(await world.rows(name)).to.deep.equal({
          ...THEIRS,
          'runbook#0': 'runbook part 0. ',
          'runbook#1': 'runbook part 1. ',
          'runbook#2': 'runbook part 2. ',
        });
        const [first, second] = await store.search([1, 0, 0, 0]);
        expect(first?.score).to.be.closeTo(1, 0.001);
        const type = world.name === 'PostgreSQL' ? 'pgvector' : 'opensearch';
        expect({ ...first, score: 1 }).to.deep.equal({
          id: 'runbook',
          text: 'runbook part 0. ',
          score: 1,
          source: { type, uri: 'runbook' },
          metadata: { owner: 'ops', level: 3 },
        });
        expect(second?.text).to.equal('runbook part 1. ');
        expect((await store.search([0, 1, 0.1, 0])).map(({ id }) => id).slice(0, 3)).to.have.members(
          Object.keys(THEIRS),
        );
      });

      it('are replaced as a whole, with fewer passages and with more', async () => {
        await store.write([RUNBOOK]);
        await store.write([SHORT]);
        expect(await world.rows(name)).to.deep.equal({ ...THEIRS, 'runbook#0': 'runbook part 0. ' });
        await store.write([RUNBOOK]);
        expect(Object.keys(await world.rows(name))).to.have.length(6);
        const found = await store.search([1, 0, 0, 0], { filter: { equals: { key: 'level', value: 3 } } });
        expect(found).to.have.length(3);
      });

      it('fail alone where others have a row with their id, which stays', async () => {
        const taken = documentOf(
          'taken',
          RUNBOOK.passages.map(({ vector }) => [...vector]),
        );
        const named = documentOf('named', [[1, 0, 0, 0]]);
        const failures = await store.write([taken, RUNBOOK, named]);
        expect(failures.map((failure) => failure?.code)).to.deep.equal(['already_exists', undefined, 'already_exists']);
        const rows = await world.rows(name);
        expect(rows).to.include(THEIRS);
        expect(Object.keys(rows)).to.have.length(6);
      });

      it('may have an id that is the key of a passage', async () => {
        await store.write([RUNBOOK]);
        expect(await store.write([documentOf('runbook#0', [[1, 1, 0, 0]])])).to.deep.equal([undefined]);
        expect(Object.keys(await world.rows(name))).to.include.members(['runbook#0', 'runbook#0#0']);
        expect((await store.search([1, 1, 0, 0], { count: 1 })).map(({ id }) => id)).to.deep.equal(['runbook#0']);
      });

      it('are deleted by id and all at once, and nothing else is', async () => {
        await store.write([RUNBOOK, documentOf('second', [[1, 0, 0, 0]]), documentOf('third', [[1, 0, 0, 0]])]);
        expect(await store.remove(['second', 'theirs', 'none'])).to.equal(1);
        expect(Object.keys(await world.rows(name))).to.not.include('second#0');
        expect(await store.remove('all')).to.equal(2);
        expect(await world.rows(name)).to.deep.equal(THEIRS);
        expect(await store.remove('all')).to.equal(0);
      });

      it('are written again after a write that was ended when it had begun', async () => {
        const refuse = () => Promise.reject(new Error('killed'));
        const { http, sqlServers } = failing(refuse);
        const killed = store.write([RUNBOOK], store.with({ llm: { http }, sqlServers }));
        expect((await rejection(killed, Error)).message).to.equal('killed');
        expect(await store.write([RUNBOOK])).to.deep.equal([undefined]);
        expect(await store.remove('all')).to.equal(1);
        expect(await world.rows(name)).to.deep.equal(THEIRS);
      });

      it('that the store cannot hold fail alone', async () => {
        await store.write([documentOf('first', [[1, 0, 0, 0]], { level: 1, note: 'a' })]);
        const bad = world.name === 'PostgreSQL' ? { note: 'nul \0' } : { level: 'many' };
        const failures = await store.write([documentOf('bad', [[1, 0, 0, 0]], bad), SHORT]);
        expect(failures.map((failure) => failure?.code)).to.deep.equal(['bad_request', undefined]);
        expect(Object.keys(await world.rows(name))).to.not.include('bad#0');
      });

      // PostgreSQL takes vectors without a direction.
      const refusing = world.name === 'PostgreSQL' ? [] : [world.name];
      for (const server of refusing)
        it(`are what they were when ${server} refuses one of the passages`, async () => {
          await store.write([RUNBOOK]);
          const before = await store.search([1, 0.1, 0, 0], { count: 3 });
          const directions = [
            [0, 0, 1, 0],
            [0, 0, 0, 0],
            [0, 0, 1, 1],
            [0, 0, 1, 2],
          ];
          const [failure] = await store.write([documentOf('runbook', directions, { owner: 'others' })]);
          expect(failure?.code).to.equal('bad_request');
          expect(failure?.message).to.include('stays as it was');
          expect(Object.keys(ourRows(await world.rows(name)))).to.deep.equal(['runbook#0', 'runbook#1', 'runbook#2']);
          expect(await store.search([1, 0.1, 0, 0], { count: 3 })).to.deep.equal(before);
        });

      it('are not those of another table', async () => {
        await store.write([RUNBOOK]);
        await world.create(`${name}-next`, 4);
        await world.put(`${name}-next`, [{ id: 'runbook#0', text: 'theirs', vector: [1, 0, 0, 0], metadata: {} }]);
        await store.save(`${name}-next`, {});
        expect(await store.remove('all')).to.equal(0);
        expect((await store.write([RUNBOOK])).map((failure) => failure?.code)).to.deep.equal(['already_exists']);
        expect(await world.rows(`${name}-next`)).to.deep.equal({ 'runbook#0': 'theirs' });
        expect((await store.search([1, 0, 0, 0])).map(({ id }) => id)).to.deep.equal(['runbook#0']);
      });

      it('are whole after a writer was killed', async () => {
        for (const wait of [5, 17, 31, 60, 110]) {
          const child = spawn(
            process.execPath,
            ['--no-warnings', join(import.meta.dirname, 'writer.ts'), world.name, world.address, name],
            { stdio: ['ignore', 'pipe', 'inherit'] },
          );
          const ended = once(child, 'exit');
          await once(child.stdout, 'data');
          await sleep(wait);
          child.kill('SIGKILL');
          await ended;
          let rows: Record<string, string> = {};
          // The server may still be at what it had received.
          await eventually(
            async () => {
              rows = ourRows(await world.rows(name));
              const versions = [...new Set(Object.values(rows).map((text) => text.slice(0, VERSION)))];
              const passages = ((Number(versions[0]?.slice(1)) - 1) % 3) * 40 + 1;
              return versions.length === 1 && Object.keys(rows).length === passages;
            },
            5000,
            'the passages of one version, and all of them',
          );
          // The list of the killed process was its own.
          await world.drop(name, Object.keys(rows));
        }
      });
    });
  }
});

/** Servers that fail at the first request that would change something. */
function failing(refuse: () => Promise<never>) {
  const { llm, sqlServers } = serverDependencies();
  return {
    http: {
      request: (call: Parameters<typeof llm.http.request>[0]) =>
        call.url.includes('_bulk') ? refuse() : llm.http.request(call),
    },
    sqlServers: {
      connected: ((access, deadline, work) =>
        sqlServers.connected(access, deadline, (session) =>
          work({
            query: (statement, values) => (statement === 'BEGIN' ? refuse() : session.query(statement, values)),
          }),
        )) as typeof sqlServers.connected,
    },
  };
}
