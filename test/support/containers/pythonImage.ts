import { execFile } from 'node:child_process';
import { readdirSync, realpathSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import type Docker from 'dockerode';
import * as tar from 'tar';

const run = promisify(execFile);

/** Of the standard library: what no server needs. */
const LEFT_OUT =
  /(^|\/)(__pycache__|site-packages|dist-packages|test|tests|idlelib|tkinter|ensurepip|config-[^/]+)(\/|$)/;

/** Imports this machine's Python and its standard library as an image, since an engine without a way out can pull none. */
export async function importPython(docker: Docker, repo: string, tag: string): Promise<void> {
  const print = 'import sys, sysconfig; print(sys._base_executable); print(sysconfig.get_path("stdlib"))';
  const [program = '', library = ''] = (await run('python3', ['-c', print])).stdout.trim().split('\n');
  const modules = readdirSync(join(library, 'lib-dynload')).map((name) => join(library, 'lib-dynload', name));
  const { stdout } = await run('ldd', [realpathSync(program), ...modules], { maxBuffer: 8 * 1024 * 1024 });
  const libraries = [...new Set([...stdout.matchAll(/(\/\S+\.so\S*) \(0x/g)].map((match) => match[1] as string))];
  const paths = [program, library, ...libraries].map((path) => relative('/', path));
  const pack = tar.c({ cwd: '/', follow: true, filter: (path) => !LEFT_OUT.test(path) }, paths);
  const changes = [`ENV PATH=${dirname(program)} PYTHONHOME=${dirname(dirname(library))}`];
  await ended(docker, await docker.importImage(Readable.from(pack), { repo, tag, changes }));
}

/** Builds an image of these files; one of them is the Dockerfile. */
export async function buildImage(docker: Docker, folder: string, tag: string): Promise<void> {
  const context = tar.c({ cwd: folder, gzip: true }, readdirSync(folder));
  await ended(docker, await docker.buildImage(Readable.from(context), { t: tag }));
}

/** @throws Error that the engine reports in its stream */
async function ended(docker: Docker, stream: NodeJS.ReadableStream): Promise<void> {
  const events = await new Promise<{ error?: string }[]>((resolve, reject) => {
    docker.modem.followProgress(stream, (error, output) => (error ? reject(error) : resolve(output)));
  });
  const failed = events.find(({ error }) => error !== undefined);
  if (failed) throw new Error(failed.error);
}
