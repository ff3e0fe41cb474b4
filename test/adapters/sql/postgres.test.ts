import { createServer, type Socket } from 'node:net';
import { expect } from 'chai';
import { postgresServers } from '../../../src/adapters/sql/postgres.ts';
import { OutboundError } from '../../../src/contract/codes/outbound.ts';
import { startDeadline } from '../../../src/domain/async/deadline.ts';
import { rejection } from '../../support/fault.ts';
import { Peers } from '../../support/peers/peers.ts';

describe('servers that are not PostgreSQL', () => {
  const { listening } = new Peers();

  async function failureOf(answer: (socket: Socket) => void, tls: 'off' | 'require' = 'off', ms = 5000) {
    const port = await listening(createServer((socket) => socket.once('data', () => answer(socket))));
    const access = {
      host: '127.0.0.1',
      port,
      database: 'd',
      username: 'u',
      password: 'secret-word-1',
      tls,
      secrets: [],
    };
    using deadline = startDeadline(ms);
    const servers = postgresServers({ allowPrivate: true });
    const work = servers.connected(access, deadline, (session) => session.query('SELECT 1'));
    const { code, message } = await rejection(work, OutboundError);
    expect(message).to.not.contain('secret-word');
    return code;
  }

  it('answer with something else', async () => {
    expect(await failureOf((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))).to.be.oneOf([
      'upstream_error',
      'connection_reset',
    ]);
    // A request for authentication that is shorter than its length says.
    expect(await failureOf((socket) => socket.end(Buffer.from([82, 0, 0, 0, 5, 0])))).to.be.oneOf([
      'upstream_error',
      'connection_reset',
    ]);
    expect(await failureOf((socket) => socket.write(Buffer.from([82, 0, 0, 0, 4])), 'off', 500)).to.be.oneOf([
      'upstream_error',
      'timeout',
    ]);
  });

  it('close at once, or say nothing', async () => {
    expect(await failureOf((socket) => socket.destroy())).to.equal('connection_reset');
    expect(await failureOf(() => {}, 'off', 300)).to.equal('timeout');
    expect(await failureOf(() => {}, 'require', 300)).to.equal('timeout');
  });

  it('send more than an answer may have', async () => {
    const flood = (socket: Socket) => {
      socket.write(Buffer.from([68, 127, 255, 255, 255]));
      const more = () => {
        while (!socket.destroyed && socket.write(Buffer.alloc(1 << 20)));
        socket.once('drain', more);
      };
      more();
    };
    expect(await failureOf(flood, 'off', 20_000)).to.equal('upstream_error');
  });

  it('have no TLS, or speak before it has begun', async () => {
    expect(await failureOf((socket) => socket.write('N'), 'require')).to.equal('tls_protocol');
    expect(await failureOf((socket) => socket.write('SR\0\0\0'), 'require')).to.equal('tls_protocol');
    expect(
      await failureOf((socket) => socket.write('S').valueOf() && socket.write('garbage'), 'require', 2000),
    ).to.match(/^tls_|timeout/);
  });
});
