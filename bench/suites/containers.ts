import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { TestPlatform } from '../../test/support/e2e/platform.ts';
import { type Bench, leftOut } from '../bench.ts';
import { inTurn, timed } from '../measure.ts';

const run = promisify(execFile);
const IMAGE = 'splunk/mltk-container-golden-cpu:5.2.4';
const CHATTY = 'testbed/bench-chatty:1';
const LINES = 1_000_000;
const TAIL = 1000;

/** Writes a hundred megabytes of log and stays. */
const CHATTY_SOURCE = `
#include <stdio.h>
#include <unistd.h>
int main(void) {
  for (int n = 0; n < ${LINES}; n++)
    printf("%07d INFO a line of an application that says a lot, padded to a hundred bytes in all .................\\n", n);
  fflush(stdout);
  for (;;) pause();
}
`;

/** The lifecycle beside Docker's own command line. Nothing without DOCKER_HOST. */
export async function containers(bench: Bench, platform: TestPlatform): Promise<void> {
  const url = process.env.DOCKER_HOST;
  if (!url) {
    leftOut('starts and logs of containers', 'there is no DOCKER_HOST (docs/testbeds.md)');
    return;
  }
  await must(platform, 'POST', '/container_connection', {
    container_type: 'docker',
    connection_name: 'bench',
    docker_url: url,
  });
  try {
    await startRow(bench, platform);
    await logRow(bench, platform);
  } finally {
    await platform.ml('admin', 'POST', '/stop_container', { payload: { model: 'chatty' } });
    const { stdout } = await docker('volume', 'ls', '-q', '--filter', 'label=ml_extension.connection=docker.bench');
    for (const volume of stdout.split('\n').filter(Boolean)) await docker('volume', 'rm', volume).catch(() => {});
    await docker('rmi', '-f', CHATTY).catch(() => {});
  }
}

async function startRow(bench: Bench, platform: TestPlatform): Promise<void> {
  let number = 0;
  const ours = async () => {
    const model = `bench-${number++}`;
    const took = await timed(() =>
      must(platform, 'POST', '/start_container', { image: 'golden-cpu', model, mode: 'PROD' }),
    );
    await must(platform, 'POST', '/stop_container', { model });
    return took;
  };
  const base = async () => {
    let id = '';
    const took = await timed(async () => {
      id = (
        await docker('run', '-d', '-p', '127.0.0.1::5000', '-e', 'MODE_DEV_PROD=PROD', '-v', 'bench-base:/srv', IMAGE)
      ).stdout.trim();
    });
    await docker('rm', '-f', '-v', id);
    return took;
  };
  const comparison = {
    what: 'start_container, image present',
    against: 'docker run -d',
    unit: 'ms',
    aim: 1.1,
  } as const;
  await bench.row(comparison, 15, (runs) => inTurn(runs, ours, base));
  await docker('volume', 'rm', 'bench-base');
}

async function logRow(bench: Bench, platform: TestPlatform): Promise<void> {
  await buildChatty();
  const image = { name: 'chatty', image: CHATTY };
  const made = await platform.admin('POST', '/servicesNS/nobody/ml_extension/configs/conf-ml_images', image);
  if (made.status !== 201) throw new Error(`the bench image could not be listed: ${made.text}`);
  const reply = await must(platform, 'POST', '/start_container', { image: 'chatty', model: 'chatty', mode: 'PROD' });
  const id = (reply as { updated_config: { id: string } }).updated_config.id;
  const last = String(LINES - 1).padStart(7, '0');
  while (!(await docker('logs', '--tail', '1', id)).stdout.startsWith(last))
    await new Promise((done) => setTimeout(done, 500));
  const comparison = { what: `container_logs of 100 MB, tail ${TAIL}`, against: 'docker logs --tail', aim: 1.2 };
  await bench.times(
    comparison,
    15,
    () => must(platform, 'POST', '/container_logs', { model: 'chatty', tail: TAIL }),
    () => docker('logs', '--tail', String(TAIL), '--timestamps', id),
  );
}

async function buildChatty(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  try {
    writeFileSync(join(folder, 'chatty.c'), CHATTY_SOURCE);
    await run('gcc', ['-static', '-O2', '-o', join(folder, 'chatty'), join(folder, 'chatty.c')]);
    writeFileSync(join(folder, 'Dockerfile'), 'FROM scratch\nCOPY chatty /chatty\nENTRYPOINT ["/chatty"]\n');
    await docker('build', '-q', '-t', CHATTY, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function docker(...args: string[]): Promise<{ stdout: string }> {
  return run('docker', args, { maxBuffer: 64 * 1024 * 1024 });
}

async function must(platform: TestPlatform, method: string, path: string, payload: object): Promise<unknown> {
  const reply = await platform.ml('admin', method, path, { payload });
  if (reply.status !== 200) throw new Error(`${method} ${path}: ${reply.text}`);
  return reply.json;
}
