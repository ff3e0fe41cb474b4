import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { expect } from 'chai';
import { eventually } from '../support/patience.ts';
import { ADMIN_PASSWORD, call, startTestPlatform } from '../support/platform.ts';
import { isAlive } from '../support/processes.ts';
import { startSearching } from '../support/searchCommand.ts';

const JOBS = '/servicesNS/admin/searching/search/jobs';
const FOR_EVER = { search: '| fake "do=for ever"' };

describe('embedded platform: the end of running searches', () => {
  /** The process of the one running command. */
  async function running(home: string): Promise<number> {
    const log = join(home, 'commands.log');
    const executed = () => (existsSync(log) ? readFileSync(log, 'utf8') : '').match(/^(\d+) execute$/m)?.[1];
    await eventually(() => executed() !== undefined, 20_000);
    return Number(executed());
  }

  async function firstLine(input: Readable): Promise<string | undefined> {
    for await (const line of createInterface({ input })) return line;
    return undefined;
  }

  it('comes with the shutdown of the platform, also for waiting requests', async () => {
    const { platform, stop } = await startSearching();
    const { home, url } = platform;
    try {
      const waits = call(url, 'POST', JOBS, { form: { ...FOR_EVER, exec_mode: 'blocking' } });
      const exported = call(url, 'POST', `${JOBS}/export`, { form: { ...FOR_EVER, output_mode: 'json' } });
      const deaf = call(url, 'POST', JOBS, { form: { search: '| fake do=deaf' } });
      const pid = await running(home);
      expect((await deaf).status).to.equal(201);
      await eventually(() => readFileSync(join(home, 'commands.log'), 'utf8').match(/execute/g)?.length !== undefined);
      await platform.close();
      expect(isAlive(pid)).to.equal(false);
      expect((await waits).status).to.equal(201);
      expect((await exported).status).to.equal(200);
      const pids = readFileSync(join(home, 'commands.log'), 'utf8').match(/^\d+/gm)?.map(Number) ?? [];
      expect(pids.filter(isAlive)).to.deep.equal([]);
    } finally {
      await stop();
    }
  });

  it('comes as EOF when the platform is killed, and the next start has no jobs', async () => {
    const { platform, stop } = await startSearching();
    const { home } = platform;
    await platform.close();
    const script = `
      const { startPlatform } = await import(process.argv[1]);
      const platform = await startPlatform({ home: process.argv[2], port: 0, tls: false });
      console.log(platform.url);`;
    const main = new URL('../../src/platform.ts', import.meta.url).href;
    const child: ChildProcess = spawn(process.execPath, ['--input-type=module', '-e', script, main, home], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      if (child.stdout === null) throw new Error('no output');
      const url = await firstLine(child.stdout);
      if (url === undefined) throw new Error('the platform did not start');
      const { status } = await call(url, 'POST', JOBS, { form: { ...FOR_EVER, id: 'mine' } });
      expect(status).to.equal(201);
      const pid = await running(home);
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await gone;
      await eventually(() => !isAlive(pid));
      expect(existsSync(join(home, 'var/run/splunk/dispatch/mine'))).to.equal(true);
      const next = await startTestPlatform({ home });
      try {
        expect(existsSync(join(home, 'var/run/splunk/dispatch/mine'))).to.equal(false);
        expect((await next.call('GET', `${JOBS}/mine`, { as: `admin:${ADMIN_PASSWORD}` })).status).to.equal(404);
      } finally {
        await next.close();
      }
    } finally {
      child.kill('SIGKILL');
      await stop();
    }
  });

  it('needs no probe if that is switched off', async () => {
    const { platform, events, stop } = await startSearching({ probeCommands: false });
    try {
      await platform.call('POST', JOBS, { form: { search: '| fake', exec_mode: 'blocking' } });
      expect(events().map((line) => line.split(' ')[1])).to.deep.equal(['start', 'getinfo', 'execute', 'eof']);
    } finally {
      await stop();
    }
  });
});
