import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort, listen } from '../peers/listen.ts';

/** How the way to the registry behaves. */
export interface Weather {
  /** Bytes a second of a layer; undefined = as fast as it goes. */
  rate?: number;
  /** The connection breaks after so many bytes of a layer. */
  cutAfter?: number;
  /** Every call is answered with this status. */
  refuse?: number;
}

export interface TestRegistry {
  /** `127.0.0.1:port/`, through the weather. */
  repo: string;
  weather: Weather;
  close(): Promise<void>;
}

const STEP_MS = 50;
/** Not the synchronous form: the way to the registry is in this process. */
const run = promisify(execFile);

/** Debian's registry server with a way to it that can be slow, break off, or refuse. */
export async function startRegistry(binary: string): Promise<TestRegistry> {
  const folder = mkdtempSync(join(tmpdir(), 'registry-'));
  const inner = await freePort();
  const config = join(folder, 'config.yml');
  writeFileSync(
    config,
    `version: 0.1\nlog: {level: error}\nstorage: {filesystem: {rootdirectory: ${folder}/data}}\nhttp: {addr: "127.0.0.1:${inner}"}\n`,
  );
  const child: ChildProcess = spawn(binary, ['serve', config], { stdio: 'ignore' });
  const exited = once(child, 'exit');
  const registry: TestRegistry = { repo: '', weather: {}, close: async () => {} };
  const { port, close } = await listen(proxy(inner, registry));
  await answers(inner);
  registry.repo = `127.0.0.1:${port}/`;
  registry.close = async () => {
    await close();
    child.kill('SIGTERM');
    await exited;
    rmSync(folder, { recursive: true, force: true });
  };
  return registry;
}

function proxy(port: number, registry: TestRegistry): Server {
  return createServer((incoming, outgoing) => {
    const { refuse, rate, cutAfter } = registry.weather;
    if (refuse !== undefined) {
      outgoing.writeHead(refuse).end();
      return;
    }
    const { method, url: path, headers } = incoming;
    const forward = request({ host: '127.0.0.1', port, method, path, headers }, async (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      const isLayer =
        method === 'GET' && /\/blobs\//.test(path ?? '') && Number(answer.headers['content-length']) > 100_000;
      let bytesSent = 0;
      for await (const chunk of answer) {
        if (isLayer && cutAfter !== undefined && bytesSent + chunk.length > cutAfter) {
          outgoing.destroy();
          return;
        }
        bytesSent += chunk.length;
        if (!outgoing.write(chunk)) await once(outgoing, 'drain').catch(() => {});
        if (isLayer && rate !== undefined) await new Promise((done) => setTimeout(done, (chunk.length / rate) * 1000));
        if (outgoing.destroyed) return;
      }
      outgoing.end();
    });
    forward.on('error', () => outgoing.destroy());
    outgoing.on('error', () => {});
    incoming.pipe(forward);
  });
}

async function answers(port: number): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const good = await new Promise<boolean>((resolve) => {
      request({ host: '127.0.0.1', port, path: '/v2/' }, (answer) => {
        answer.resume();
        resolve(answer.statusCode === 200);
      })
        .on('error', () => resolve(false))
        .end();
    });
    if (good) return;
    await new Promise((done) => setTimeout(done, STEP_MS));
  }
  throw new Error('the registry does not answer');
}

/** An image of the testbed's with a layer of random bytes on top (they do not compress), pushed and then removed here. */
export async function pushLargeImage(
  registry: TestRegistry,
  dockerHost: string,
  base: string,
  name: string,
  bytes: number,
) {
  const folder = mkdtempSync(join(tmpdir(), 'image-'));
  const docker = (...args: string[]) => run('docker', args, { env: { ...process.env, DOCKER_HOST: dockerHost } });
  const image = `${registry.repo}${name}`;
  try {
    writeFileSync(`${folder}/ballast`, randomBytes(bytes));
    writeFileSync(join(folder, 'Dockerfile'), `FROM ${base}\nCOPY ballast /ballast\n`);
    await docker('build', '-q', '-t', image, folder);
    await docker('push', image);
    await docker('rmi', image);
    await docker('image', 'prune', '-f');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
