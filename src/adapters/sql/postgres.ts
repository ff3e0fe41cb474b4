import type { Client } from 'pg';
import type { OutboundError } from '../../contract/codes/outbound.ts';
import { unlessAborted } from '../../domain/async/deadline.ts';
import { redact } from '../../domain/net/redact.ts';
import {
  type SqlAccess,
  SqlRefusal,
  type SqlRow,
  type SqlServers,
  type SqlSession,
} from '../../ports/knowledge/sqlServers.ts';
import type { Deadline } from '../../ports/platform/clock.ts';
import { classify } from '../outbound/classify.ts';
import type { AddressPolicy } from '../outbound/guard.ts';
import { openSocket } from './postgresSocket.ts';
import { codeOfState } from './postgresStates.ts';
import { Wire } from './wire.ts';

/** A password for the library where nobody gave one; without it, it would read the files and variables of the machine. */
const NO_PASSWORD = '';
const FAREWELL_MS = 1000;
const asText = { getTypeParser: () => (value: string) => value };

/** PostgreSQL by `pg`, over sockets of our own. */
export function postgresServers(policy: AddressPolicy): SqlServers {
  return {
    async connected(access, deadline, work) {
      const connection = new Connection(access, policy, deadline);
      try {
        await connection.open();
        return await work(connection);
      } finally {
        connection.close();
      }
    },
  };
}

class Connection implements SqlSession {
  readonly #access: SqlAccess;
  readonly #policy: AddressPolicy;
  readonly #deadline: Deadline;
  #wire: Wire | undefined;
  #client: Client | undefined;

  constructor(access: SqlAccess, policy: AddressPolicy, deadline: Deadline) {
    this.#access = access;
    this.#policy = policy;
    this.#deadline = deadline;
  }

  async open(): Promise<void> {
    const { host, port, database, username: user, password = NO_PASSWORD } = this.#access;
    try {
      // Loaded at the first connection to keep the start fast.
      const { default: PgClient } = await import('pg/lib/client.js');
      const wire = new Wire(await openSocket(this.#access, this.#policy, this.#deadline));
      this.#wire = wire;
      const client = new PgClient({
        ...{ host, port, database, user, password: () => password, ssl: false },
        application_name: 'ml_extension',
        stream: () => wire as never,
        types: asText as never,
      });
      client.on('error', () => {});
      this.#client = client;
      await unlessAborted(client.connect(), this.#deadline.signal);
      // The server stops by itself when nobody waits any longer.
      await this.query("SELECT set_config('statement_timeout', $1, false)", [this.#milliseconds()]);
    } catch (error) {
      throw this.#failure(error);
    }
  }

  async query(text: string, values: readonly (string | null | readonly string[])[] = []): Promise<readonly SqlRow[]> {
    const [wire, client] = [this.#wire, this.#client];
    if (!wire || !client) throw new Error('not connected');
    wire.startStatement();
    try {
      this.#deadline.signal.throwIfAborted();
      const sent = client.query<Record<string, string | null>>(text, [...values] as unknown[]);
      return (await unlessAborted(sent, this.#deadline.signal)).rows;
    } catch (error) {
      throw this.#failure(error);
    }
  }

  close(): void {
    const wire = this.#wire;
    const leave = this.#client?.end() ?? Promise.resolve();
    // A server that does not take the farewell keeps nobody waiting.
    const late = setTimeout(() => wire?.destroy(), FAREWELL_MS).unref();
    leave
      .catch(() => {})
      .finally(() => {
        clearTimeout(late);
        wire?.destroy();
      });
  }

  #milliseconds = (): string => String(Math.max(1, Math.ceil(this.#deadline.remaining())));

  #failure(error: unknown): OutboundError {
    if (error instanceof SqlRefusal) return error;
    const { host, port, secrets } = this.#access;
    const { signal } = this.#deadline;
    const peer = `${host}:${port}`;
    const { code, message } = error as { code?: unknown; message?: unknown };
    if (!signal.aborted && isState(code) && !this.#wire?.failure) {
      const text = `PostgreSQL answered: ${redact(String(message), secrets)}`;
      return new SqlRefusal(code, codeOfState(code), text, { cause: error });
    }
    const cause = this.#wire?.failure ?? (isEnd(message) ? Object.assign(new Error(), { code: 'ECONNRESET' }) : error);
    return classify(cause, { peer, secrets, signal });
  }
}

const isState = (code: unknown): code is string =>
  typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && /\d/.test(code);

const isEnd = (message: unknown): boolean => typeof message === 'string' && /^Connection terminated/.test(message);
