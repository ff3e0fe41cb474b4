import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from 'chai';

const PASSWORD = 'changed!!';
const PLATFORM = new URL('../../src/platform.ts', import.meta.url).href;
const SCRIPT = `
  const { startPlatform } = await import(process.argv[1]);
  const platform = await startPlatform({ home: process.argv[2], port: 0, tls: false, adminPassword: '${PASSWORD}' });
  console.log(platform.url);`;

describe('embedded platform: stores over HTTP', () => {
  let home: string;
  let child: ChildProcess;
  let url: string;

  async function start(): Promise<void> {
    child = spawn(process.execPath, ['--input-type=module', '-e', SCRIPT, PLATFORM, home], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    if (child.stdout === null) throw new Error('no output');
    for await (const line of createInterface({ input: child.stdout })) {
      url = line;
      return;
    }
    throw new Error('the platform did not start');
  }

  async function kill(): Promise<void> {
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await gone;
  }

  const call = (method: string, path: string, body?: string | URLSearchParams) =>
    fetch(`${url}/servicesNS/nobody/search${path}`, {
      method,
      headers: {
        authorization: `Basic ${btoa(`admin:${PASSWORD}`)}`,
        ...(typeof body === 'string' ? { 'content-type': 'application/json' } : {}),
      },
      ...(body === undefined ? {} : { body }),
    });

  beforeEach(async () => {
    home = mkdtempSync(join(tmpdir(), 'stores-kill-'));
    const local = join(home, 'etc/apps/search/local');
    mkdirSync(local, { recursive: true });
    writeFileSync(join(local, 'collections.conf'), '[things]\n');
    await start();
  });
  afterEach(async () => {
    await kill();
    rmSync(home, { recursive: true, force: true });
  });

  it('keep acknowledged writes through kill -9, with secrets unreadable on disk', async () => {
    const data = '/storage/collections/data/things';
    expect((await call('POST', '/storage/collections/config', new URLSearchParams({ name: 'made' }))).status).to.equal(
      201,
    );
    const canary = 'canary-91b7';
    const acknowledged: string[] = [];
    const writer = async (name: string): Promise<void> => {
      for (let n = 0; ; n += 1) {
        const key = `${name}-${n}`;
        const inserted = await call('POST', data, JSON.stringify({ _key: key }));
        const secret = new URLSearchParams({ name: key, realm: 'r', password: `${canary}-${key}` });
        const saved = await call('POST', '/storage/passwords', secret);
        if (inserted.status === 201 && saved.status === 201) acknowledged.push(key);
      }
    };
    const writers = ['a', 'b', 'c', 'd'].map((name) => writer(name).catch(() => undefined));
    while (acknowledged.length < 100) await new Promise((resolve) => setTimeout(resolve, 10));
    await kill();
    await Promise.all(writers);
    await start();

    const documents = (await (await call('GET', data)).json()) as { _key: string }[];
    expect(documents.map((document) => document._key)).to.include.members(acknowledged);
    const listing = await (await call('GET', '/storage/passwords?count=0&output_mode=json')).json();
    const clear = (listing as { entry: { content: { clear_password: string } }[] }).entry.map(
      (entry) => entry.content.clear_password,
    );
    expect(clear).to.include.members(acknowledged.map((key) => `${canary}-${key}`));
    expect((await call('GET', '/storage/collections/data/made')).status).to.equal(200);

    const files = readdirSync(home, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    for (const file of files) {
      const path = join(file.parentPath, file.name);
      expect(readFileSync(path).includes(canary), path).to.equal(false);
    }
  });

  it('write errors as XML unless JSON is asked for', async () => {
    const missing = await call('GET', '/storage/collections/data/nix');
    expect(missing.headers.get('content-type')).to.contain('xml');
    expect(await missing.text()).to.contain('<msg type="ERROR">An object with name=nix does not exist</msg>');
    const json = await call('GET', '/storage/collections/data/nix?output_mode=json');
    expect(await json.json()).to.deep.equal({
      messages: [{ type: 'ERROR', text: 'An object with name=nix does not exist' }],
    });
    const success = await call('GET', '/storage/collections/data/things');
    expect(success.headers.get('content-type')).to.contain('application/json');
  });
});
