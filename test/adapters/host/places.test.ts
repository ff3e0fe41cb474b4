import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'chai';
import { Places } from '../../../src/adapters/host/places.ts';

const MODULE = new URL('../../../src/adapters/host/places.ts', import.meta.url).href;

/** Another process that takes all places of this name and keeps them. */
async function holder(name: string, count: number) {
  const code = `
    import { Places } from ${JSON.stringify(MODULE)};
    const places = new Places(${JSON.stringify(name)});
    for (let i = 0; i < ${count}; i += 1) await places.take(${count}, 0);
    process.stdout.write('ready');
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return child;
}

describe('places shared by the processes of one machine', () => {
  let name: string;
  beforeEach(() => {
    name = `ml_extension-test/${crypto.randomUUID()}`;
  });

  it('are limited in number, and free again after release', async () => {
    const places = new Places(name);
    const [first, second] = [await places.take(2, 0), await places.take(2, 0)];
    expect(await places.take(2, 0)).to.equal(undefined);
    first?.release();
    const third = await places.take(2, 0);
    expect(third).not.to.equal(undefined);
    second?.release();
    third?.release();
  });

  it('are given to a caller who waits', async () => {
    const places = new Places(name);
    const first = await places.take(1, 0);
    const waiting = places.take(1, 5000);
    first?.release();
    const second = await waiting;
    expect(second).not.to.equal(undefined);
    second?.release();
  });

  it('are shared with other processes, and freed when one is killed', async () => {
    const child = await holder(name, 2);
    const places = new Places(name);
    try {
      expect(await places.take(2, 0)).to.equal(undefined);
    } finally {
      child.kill('SIGKILL');
    }
    const place = await places.take(2, 5000);
    expect(place).not.to.equal(undefined);
    place?.release();
  });
});
