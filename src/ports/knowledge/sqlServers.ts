import { OutboundError } from '../../contract/codes/outbound.ts';
import type { Deadline } from '../platform/clock.ts';

/** Where a database is, and as whom it is used. */
export interface SqlAccess {
  host: string;
  port: number;
  database: string;
  username: string;
  password?: string | undefined;
  /** verify: TLS with a verified certificate. require: TLS only. */
  tls: 'verify' | 'require' | 'off';
  /** PEM certificates that replace the default authorities. */
  caCertificate?: string | undefined;
  /** Redacted from error messages. */
  secrets: readonly string[];
}

/** A row, with all values as text. */
export type SqlRow = Readonly<Record<string, string | null>>;

/** The server refused a statement. */
export class SqlRefusal extends OutboundError {
  /** SQLSTATE: five digits or letters. */
  readonly state: string;

  constructor(state: string, ...failure: ConstructorParameters<typeof OutboundError>) {
    super(...failure);
    this.state = state;
  }
}

/** One connection, on which one statement runs at a time. */
export interface SqlSession {
  /**
   * Runs one statement. Values are parameters: `null`, texts, and lists of texts for arrays.
   * @throws SqlRefusal, OutboundError
   */
  query(statement: string, values?: readonly (string | null | readonly string[])[]): Promise<readonly SqlRow[]>;
}

/** PostgreSQL under the outbound policy on addresses, TLS and time; no proxy carries it. */
export interface SqlServers {
  /**
   * Connects and works; the connection ends with the work or with the deadline, and with it what the server was doing.
   * @throws OutboundError
   */
  connected<T>(access: SqlAccess, deadline: Deadline, work: (session: SqlSession) => Promise<T>): Promise<T>;
}
