import { join } from 'node:path';
import manifest from '../package.json' with { type: 'json' };
import { help, integer, parseCommandLine, readOptions } from './commandLine.ts';
import { holderOfPort } from './home/holders.ts';
import { StartError } from './home/home.ts';
import type { PlatformOptions } from './platform.ts';

/** The argument that starts a member of a cluster. */
export const MEMBER = '--member-of-cluster';
const YEAR_MS = 31_536_000_000;

/** Where a platform serves. */
export interface ServerAddresses {
  /** `https://127.0.0.1:8089`, of the first member. */
  url: string;
  /** `http://127.0.0.1:8000`, unless there are no pages. */
  web: string | undefined;
}

/**
 * Runs the platform as the command line and the environment say, until a signal ends it, and exits the process.
 * @param served is called once it serves; the platform ends without waiting for it on a signal, and fails with it
 */
export function runCommand(served: (where: ServerAddresses) => Promise<void> = async () => {}): void {
  run(served).then(
    () => process.exit(0),
    (error: unknown) => {
      const text = error instanceof StartError ? error.message : error instanceof Error ? error.stack : String(error);
      process.stderr.write(`${text}\n`);
      process.exit(1);
    },
  );
}

async function run(served: (where: ServerAddresses) => Promise<void>): Promise<void> {
  const args = parseCommandLine();
  if (args.help) {
    process.stdout.write(help(args['default-app']));
    return;
  }
  if (args.version) {
    process.stdout.write(`${manifest.version}\n`);
    return;
  }
  // Before anything is started: a signal during the start must not leave a lock or a driver behind.
  const stopped = new Promise<void>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => resolve());
  });
  const options = readOptions(args);
  const platform = await start(options);
  const password = platform.generatedPassword;
  if (password !== undefined) {
    process.stderr.write(
      `The password of the user admin ${password.fresh ? 'was generated; it ' : ''}is in ${password.file}\n`,
    );
  }
  if (platform.web !== undefined) {
    const { port, url } = platform.web;
    if (options.web?.otherwiseAny === true && port !== options.web.port) {
      const holder = holderOfPort(options.web.port) ?? 'another program';
      process.stderr.write(
        `Port ${options.web.port} is in use by ${holder}; the pages are on port ${port}. Set ML_WEB_PORT to choose one.\n`,
      );
    }
    process.stdout.write(`web ${url}\n`);
  }
  if (platform.urls.length > 1) {
    for (const [index, url] of platform.urls.entries()) process.stdout.write(`member ${index + 1} ${url}\n`);
  }
  const [url = ''] = platform.urls;
  process.stdout.write(`ready ${url}\n`);
  try {
    await Promise.race([stopped, served({ url, web: platform.web?.url }).then(() => stopped)]);
  } finally {
    await platform.close();
  }
}

/** Starts one platform in this process, or members in processes of their own. */
async function start(options: PlatformOptions) {
  const count = integer('ML_MEMBERS', 1, 1, 5);
  const cluster = {
    count,
    replicationMs: integer('ML_REPLICATION_MS', 2000, 0, 60_000),
    restartMs: integer('ML_MEMBER_RESTART_MS', 3000, 0, 600_000),
    clockSkewMs: integer('ML_CLOCK_SKEW_MS', 0, -YEAR_MS, YEAR_MS),
  };
  // Loaded lazily, so that --help and argument errors are fast.
  if (count === 1) {
    const { startPlatform } = await import('./platform.ts');
    const platform = await startPlatform(options);
    return { ...platform, urls: [platform.url] };
  }
  if (options.port > 65_536 - count) throw new StartError(`ML_PORT leaves no room for the ports of ${count} members.`);
  const { startCluster } = await import('./cluster/supervisor.ts');
  const entry = { file: join(import.meta.dirname, 'main.ts'), args: [MEMBER] };
  return startCluster({ ...options, ...cluster, entry, print: (text) => process.stderr.write(`${text}\n`) });
}
