import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { expect } from 'chai';
import { HostSlots } from '../../src/adapters/hostSlots.ts';

const MODULE = new URL('../../src/adapters/hostSlots.ts', import.meta.url).href;

/** Another process that takes all places of this name and keeps them. */
async function holder(folder: string, name: string, count: number) {
  const code = `
    import { HostSlots } from ${JSON.stringify(MODULE)};
    const places = new HostSlots(${JSON.stringify(folder)});
    for (let i = 0; i < ${count}; i += 1) await places.take(${JSON.stringify(name)}, ${count}, 0);
    process.stdout.write('ready');
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return child;
}

describe('places shared by the processes of one machine', () => {
  const name = 'slots/of a user';
  let parent: string;
  let folder: string;
  beforeEach(() => {
    parent = mkdtempSync(`${tmpdir()}/places-`);
    folder = `${parent}/var/run/ml_extension`;
  });
  afterEach(() => rmSync(parent, { recursive: true, force: true }));

  it('are limited in number, and free again after release', async () => {
    const places = new HostSlots(folder);
    const [first, second] = [await places.take(name, 2, 0), await places.take(name, 2, 0)];
    expect(await places.take(name, 2, 0)).to.equal(undefined);
    first?.release();
    const third = await places.take(name, 2, 0);
    expect(third).not.to.equal(undefined);
    second?.release();
    third?.release();
  });

  it('are given to a caller who waits', async () => {
    const places = new HostSlots(folder);
    const first = await places.take(name, 1, 0);
    const waiting = places.take(name, 1, 5000);
    first?.release();
    const second = await waiting;
    expect(second).not.to.equal(undefined);
    second?.release();
  });

  it('are shared with other processes, and freed when one is killed', async () => {
    const child = await holder(folder, name, 2);
    const places = new HostSlots(folder);
    try {
      expect(await places.take(name, 2, 0)).to.equal(undefined);
    } finally {
      child.kill('SIGKILL');
    }
    const place = await places.take(name, 2, 5000);
    expect(place).not.to.equal(undefined);
    place?.release();
  });

  const refusal = (places: HostSlots) =>
    places.take(name, 1, 0).then(
      () => undefined,
      (error: Error & { code: string }) => error,
    );

  it('are in a folder of mode 700, and leave it closed to others', async () => {
    const place = await new HostSlots(folder).take(name, 3, 0);
    expect(statSync(folder).mode & 0o777).to.equal(0o700);
    chmodSync(folder, 0o777);
    const second = await new HostSlots(folder).take(name, 3, 0);
    expect(statSync(folder).mode & 0o777).to.equal(0o700);
    expect(readdirSync(folder).every((file) => statSync(`${folder}/${file}`).size === 0)).to.equal(true);
    place?.release();
    second?.release();
    second?.release();
  });

  it('are never in a folder behind a symbolic link, nor in a file', async () => {
    mkdirSync(`${parent}/elsewhere`, { recursive: true });
    mkdirSync(`${parent}/var/run`, { recursive: true });
    symlinkSync(`${parent}/elsewhere`, folder);
    const linked = await refusal(new HostSlots(folder));
    expect(linked).to.include({ code: 'store_unavailable' });
    expect(linked?.message).to.include(folder);
    expect(readdirSync(`${parent}/elsewhere`)).to.deep.equal([]);
    expect(lstatSync(folder).isSymbolicLink()).to.equal(true);
    expect(await refusal(new HostSlots(process.execPath))).to.include({ code: 'store_unavailable' });
  });

  it('are never in a folder of another account', async () => {
    const own = process.getuid?.();
    const foreign = own === 0 ? folder : '/';
    if (own === 0) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      chownSync(folder, 65_534, 65_534);
    }
    expect((await refusal(new HostSlots(foreign)))?.message).to.include('another account');
  });

  it('say why where nothing can be written', async () => {
    const readOnly = '/proc/self/ml_extension';
    const error = await refusal(new HostSlots(readOnly));
    expect(error).to.include({ code: 'store_unavailable' });
    expect(error?.message)
      .to.include(readOnly)
      .and.to.match(/E[A-Z]+/);
  });

  it('come back when the folder was removed', async () => {
    const places = new HostSlots(folder);
    (await places.take(name, 1, 0))?.release();
    rmSync(folder, { recursive: true });
    const place = await places.take(name, 1, 0);
    expect(place).not.to.equal(undefined);
    place?.release();
  });

  it('are given to each caller of many at once exactly once, and print nothing', async () => {
    const code = `
      import { HostSlots } from ${JSON.stringify(MODULE)};
      const places = new HostSlots(${JSON.stringify(folder)});
      let taken = 0;
      for (let i = 0; i < 10; i += 1) if (await places.take("many", 8, 0)) taken += 1;
      process.stdout.write(String(taken));
      process.stdin.on('data', () => process.exit());`;
    const children = Array.from({ length: 3 }, () => spawn(process.execPath, ['--input-type=module', '--eval', code]));
    let errors = '';
    const counts = await Promise.all(
      children.map(async (child) => {
        child.stderr.on('data', (text) => {
          errors += text;
        });
        const [text] = await once(child.stdout, 'data');
        return Number(String(text));
      }),
    );
    expect(counts.reduce((sum, count) => sum + count, 0)).to.equal(8);
    expect(errors).to.equal('');
    for (const child of children) child.stdin.end('x');
    await Promise.all(children.map((child) => once(child, 'exit')));
  });

  it('cost a small multiple of a socket', async () => {
    const places = new HostSlots(folder);
    const socket = async () => {
      const server = createServer();
      server.listen({ path: `\0places-test/${crypto.randomUUID()}` });
      await once(server, 'listening');
      server.close();
    };
    const msOf = async (work: () => Promise<unknown>) => {
      await work();
      const since = performance.now();
      for (let time = 0; time < 200; time += 1) await work();
      return (performance.now() - since) / 200;
    };
    const [before, now] = [await msOf(socket), await msOf(async () => (await places.take(name, 1, 0))?.release())];
    console.log(`      a place ${now.toFixed(2)} ms, a socket ${before.toFixed(2)} ms: ${(now / before).toFixed(1)}`);
    expect(now / before).to.be.below(50);
  });
});
