import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { type Json, MemoryApp } from '../../support/memory/app.ts';
import { freePort } from '../../support/peers/listen.ts';
import { needsInstalled } from '../../support/programs/part.ts';
import { type Environment, preparePython, pythonOf } from '../../support/programs/python.ts';
import { eventually } from '../../support/time.ts';
import { callContainers, observe, predict, startContainers } from './containerApp.ts';

const ROWS = Array.from({ length: 1500 }, (_, index) => ({
  age: 18 + ((index * 7) % 60),
  calls: (index * 13) % 40,
  plan: index % 3 === 0 ? 'basic' : 'plus, "big"',
}));
const numbersOf = (rows: typeof ROWS) => rows.map(({ age, calls }) => ({ age, calls }));
/** As searches have them. */
const texts = (rows: readonly object[]) =>
  rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, String(value)])));

describe('servers of models in containers', function () {
  this.timeout(180_000);
  let folder: string;
  const children: ChildProcess[] = [];
  let app: MemoryApp;

  /** Runs a program of this folder, which serves at the first of the ports. */
  function serve(environment: Environment, program: string, ports: readonly number[]): void {
    const script = join(import.meta.dirname, program);
    const child = spawn(pythonOf(environment), [script, folder, ...ports.map(String)], {
      stdio: 'ignore',
    });
    children.push(child);
  }

  before(async function () {
    await needsInstalled(this, "MLflow's scoring server", () => preparePython('mlflow'));
    await needsInstalled(this, 'MLServer', () => preparePython('mlserver'));
    folder = mkdtempSync(join(tmpdir(), 'models-'));
    writeFileSync(join(folder, 'rows.json'), JSON.stringify(ROWS));
    const ports = await Promise.all(Array.from({ length: 4 }, () => freePort()));
    const [churn, ...spend] = ports as [number, number, number, number];
    serve('mlflow', 'serve_mlflow.py', [churn]);
    serve('mlserver', 'serve_mlserver.py', spend);
    app = new MemoryApp();
    callContainers(app);
    await startContainers(app, { Churn: { port: churn }, Spend: { port: spend[0] } });
    const areActive = async () => {
      for (const child of children) expect(child.exitCode, 'a server has ended').to.equal(null);
      return Object.values(await observe(app)).every((record) => (record as Json).status === 'Active');
    };
    await eventually(areActive, 120_000, 'the servers to answer');
  });

  after(async () => {
    for (const child of children) {
      if (child.exitCode !== null) continue;
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    }
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  const expected = (server: string) => JSON.parse(readFileSync(join(folder, `${server}.json`), 'utf8'));

  it('are known by their protocols', async () => {
    const { Churn, Spend } = (await observe(app)) as Record<string, Json>;
    expect([Churn?.protocol, Spend?.protocol]).to.deep.equal(['mlflow', 'v2']);
  });

  it('MLflow predicts what the model does in Python, and refuses a row alone', async () => {
    const { calls: _, ...first } = ROWS[0] as (typeof ROWS)[number];
    const { json } = await predict(app, 'churn', ROWS);
    expect(json.errors, JSON.stringify(json).slice(0, 500)).to.deep.equal([]);
    expect(json.result.map(({ prediction }: Json) => prediction)).to.deep.equal(expected('mlflow'));
    const asTexts = await predict(app, 'churn', texts(ROWS.slice(0, 50)));
    expect(asTexts.json.result.map(({ prediction }: Json) => prediction)).to.deep.equal(
      expected('mlflow').slice(0, 50),
    );
    const rows = [...ROWS.slice(0, 20), { ...ROWS[20], age: 'old' }, ...ROWS.slice(21, 40)];
    const one = (await predict(app, 'churn', rows)).json;
    expect(one.errors.map(({ row, error_code }: Json) => [row, error_code])).to.deep.equal([[20, 'bad_request']]);
    expect(one.errors[0].message).to.contain('old');
    expect(one.result.map((row: Json | null) => row?.prediction)).to.deep.equal(
      expected('mlflow').slice(0, 40).with(20, undefined),
    );
    const lacking = (await predict(app, 'churn', [{ plan: first.plan }])).json;
    expect(lacking.errors[0].message).to.contain('age');
  });

  it('MLServer predicts what the model does in Python, and refuses a row alone', async () => {
    const { json } = await predict(app, 'Spend', numbersOf(ROWS));
    expect(json.errors, JSON.stringify(json).slice(0, 500)).to.deep.equal([]);
    for (const [index, value] of expected('mlserver').entries()) {
      expect(json.result[index].predict).to.be.closeTo(value, 1e-5);
    }
    const rows = [...numbersOf(ROWS.slice(0, 3)), { age: 'old', calls: 1 }, ...numbersOf(ROWS.slice(4, 9))];
    const one = (await predict(app, 'spend', rows)).json;
    expect(one.errors.map(({ row }: Json) => row)).to.deep.equal([3]);
    expect(one.errors[0].message).to.contain("could not convert string to float: 'old'").and.not.to.contain('File');
    expect(one.result[8].predict).to.be.closeTo(expected('mlserver')[8], 1e-5);
  });
});
