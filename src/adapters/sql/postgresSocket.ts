import { once } from 'node:events';
import { isIP, type Socket, connect as tcpConnect } from 'node:net';
import { connect as tlsConnect } from 'node:tls';
import { OutboundError } from '../../contract/codes/outbound.ts';
import type { SqlAccess } from '../../ports/knowledge/sqlServers.ts';
import type { Deadline } from '../../ports/platform/clock.ts';
import { tlsOptions } from '../outbound/agents.ts';
import { type AddressPolicy, checkLiteral, guardedLookup } from '../outbound/guard.ts';

/** Length and code of the request for TLS. */
const TLS_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);
const ACCEPTED = 'S'.charCodeAt(0);

/** Connects to an address that the policy allows, with TLS unless it is off. Throws errors of sockets and OutboundError. */
export async function openSocket(access: SqlAccess, policy: AddressPolicy, { signal }: Deadline): Promise<Socket> {
  const { host, port } = access;
  // Addresses are not looked up.
  checkLiteral(new URL(`http://${isIP(host) === 6 ? `[${host}]` : host}`), policy);
  signal.throwIfAborted();
  const plain = tcpConnect({ host, port, lookup: guardedLookup(policy), noDelay: true, signal });
  // Errors are awaited where they matter; a late one must not end the process.
  plain.on('error', () => {});
  try {
    await once(plain, 'connect', { signal });
    return access.tls === 'off' ? plain : await secured(plain, access, signal);
  } catch (error) {
    plain.destroy();
    throw error;
  }
}

async function secured(plain: Socket, access: SqlAccess, signal: AbortSignal): Promise<Socket> {
  plain.write(TLS_REQUEST);
  const answer = await firstBytes(plain, signal);
  // More than one byte would be text that was never encrypted.
  if (answer.length !== 1 || answer[0] !== ACCEPTED) {
    throw new OutboundError('tls_protocol', 'The server does not speak TLS. With ssl "off" nothing is encrypted');
  }
  const { host, tls, caCertificate } = access;
  const secure = tlsConnect({
    ...tlsOptions({ verifyTls: tls === 'verify', caCertificate }),
    socket: plain,
    host,
    ...(isIP(host) === 0 && { servername: host }),
  });
  secure.on('error', () => {});
  try {
    await once(secure, 'secureConnect', { signal });
    return secure;
  } catch (error) {
    secure.destroy();
    throw error;
  }
}

async function firstBytes(socket: Socket, signal: AbortSignal): Promise<Buffer> {
  const ended = once(socket, 'close', { signal }).then(() => {
    throw Object.assign(new Error('closed'), { code: 'ECONNRESET' });
  });
  ended.catch(() => {});
  const read = once(socket, 'readable', { signal }).then(() => socket.read() as Buffer | null);
  return (await Promise.race([read, ended])) ?? Buffer.alloc(0);
}
