import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { type Platform, startPlatform } from '../../src/platform.ts';
import { createFakeDriver, type Echo, type FakeDriver } from '../support/fakeDriver.ts';

const STANZAS = ['one', 'two'];
const DRIVERS = 2;

describe('an app with two persistent stanzas', () => {
  let fake: FakeDriver;
  let home: string;
  let platform: Platform;

  before(async () => {
    fake = createFakeDriver();
    home = mkdtempSync(join(tmpdir(), 'platform-'));
    const app = join(home, 'etc/apps/hosted');
    for (const folder of ['default', 'bin']) mkdirSync(join(app, folder), { recursive: true });
    const restmap = STANZAS.map((name) =>
      [
        `[script:${name}]`,
        `match = /${name}`,
        'scripttype = persist',
        `driver = ${name}.sh`,
        `script = ${name}.mjs`,
        'passPayload = true\n',
      ].join('\n'),
    );
    writeFileSync(join(app, 'default/restmap.conf'), restmap.join('\n'));
    for (const name of STANZAS) {
      const launcher = join(app, `bin/${name}.sh`);
      writeFileSync(launcher, `#!/bin/sh\nexec "${process.execPath}" "${fake.script}" "started as ${name}"\n`);
      chmodSync(launcher, 0o755);
    }
    platform = await startPlatform({
      home,
      port: 0,
      tls: false,
      adminPassword: 'changeme-1',
      maxDrivers: DRIVERS,
    });
  });
  after(async () => {
    await platform?.close();
    rmSync(home, { recursive: true, force: true });
    fake.remove();
  });

  const ask = async (name: string, asked: object = {}): Promise<Echo> => {
    const authorization = `Basic ${Buffer.from('admin:changeme-1').toString('base64')}`;
    const init = { method: 'POST', body: JSON.stringify(asked), headers: { authorization } };
    const response = await fetch(`${platform.url}/services/${name}`, init);
    expect(response.status).to.equal(200);
    return (await response.json()) as Echo;
  };

  it('has a pool of processes for each, started from the launcher of its own stanza', async () => {
    const names = STANZAS.flatMap((name) => Array<string>(DRIVERS + 1).fill(name));
    const replies = await Promise.all(names.map((name) => ask(name, { do: 'slow', ms: 300 })));
    const pids = STANZAS.map((name) => new Set(replies.filter((_, n) => names[n] === name).map(({ pid }) => pid)));
    expect(pids.map(({ size }) => size)).to.deep.equal([DRIVERS, DRIVERS]);
    expect(new Set(replies.map(({ pid }) => pid)).size).to.equal(STANZAS.length * DRIVERS);
    for (const [index, { argv, command, block }] of replies.entries()) {
      const name = names[index];
      expect(argv).to.deep.equal([`started as ${name}`]);
      expect(command).to.deep.equal([join(home, `etc/apps/hosted/bin/${name}.mjs`)]);
      expect(block).to.include({ rest_path: `/${name}` });
    }
  });

  it('answers one stanza while all processes of the other are busy', async () => {
    let isHeld = true;
    const held = Promise.all([1, 2].map(() => ask('one', { do: 'slow', ms: 3000 }))).then(() => {
      isHeld = false;
    });
    await ask('two');
    expect(isHeld).to.equal(true);
    await held;
  });
});
