import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { readSecretFile } from '../home/secretFile.ts';
import { unlessBusy } from './database.ts';

export interface TokenRecord {
  id: string;
  user: string;
  audience: string;
  issuer: string;
  /** Epoch seconds; 0 = never. */
  expires: number;
  notBefore: number;
  issued: number;
  enabled: boolean;
  lastUsed: number;
}

/** JWT bearer tokens. A token is returned only at its creation and cannot be restored from the stored data. */
export class Tokens {
  readonly #db: DatabaseSync;
  readonly #secret: Buffer;

  constructor(db: DatabaseSync, secretFile: string) {
    this.#db = db;
    this.#secret = Buffer.from(readSecretFile(secretFile), 'base64');
  }

  create(input: Omit<TokenRecord, 'id' | 'issued' | 'enabled' | 'lastUsed'>): { record: TokenRecord; token: string } {
    const record: TokenRecord = {
      ...input,
      id: randomBytes(32).toString('hex'),
      issued: Math.floor(Date.now() / 1000),
      enabled: true,
      lastUsed: 0,
    };
    const head = encode({ kid: 'splunk.secret', alg: 'HS512', ver: 'v2', ttyp: 'static' });
    const claims = encode({
      iss: record.issuer,
      sub: record.user,
      aud: record.audience,
      idp: 'Splunk',
      jti: record.id,
      iat: record.issued,
      exp: record.expires,
      nbr: record.notBefore,
    });
    this.#db
      .prepare(
        'INSERT INTO tokens (id, user, audience, issuer, expires, not_before, issued, enabled, last_used) VALUES (?, ?, ?, ?, ?, ?, ?, 1, 0)',
      )
      .run(record.id, record.user, record.audience, record.issuer, record.expires, record.notBefore, record.issued);
    return { record, token: `${head}.${claims}.${this.#sign(`${head}.${claims}`)}` };
  }

  /** The user of a valid token: signature, known id, enabled, not expired. */
  use(token: string): string | undefined {
    const [head = '', claims = '', signature = '', more] = token.split('.');
    if (more !== undefined || signature === '') return undefined;
    const expected = Buffer.from(this.#sign(`${head}.${claims}`));
    const actual = Buffer.from(signature);
    if (expected.length !== actual.length || !timingSafeEqual(expected, actual)) return undefined;
    const { jti } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { jti: string };
    const record = this.get(jti);
    const now = Date.now() / 1000;
    if (record === undefined || !record.enabled || record.notBefore > now) return undefined;
    if (record.expires !== 0 && record.expires <= now) return undefined;
    // At most once a minute, so that a busy token does not cost a disk write per call.
    if (now - record.lastUsed >= 60)
      unlessBusy(() => this.#db.prepare('UPDATE tokens SET last_used = ? WHERE id = ?').run(now, jti));
    return record.user;
  }

  list(): TokenRecord[] {
    return this.#db.prepare('SELECT * FROM tokens ORDER BY issued, id').all().map(token);
  }

  get(id: string): TokenRecord | undefined {
    const row = this.#db.prepare('SELECT * FROM tokens WHERE id = ?').get(id);
    return row === undefined ? undefined : token(row);
  }

  enable(id: string, enabled: boolean): void {
    this.#db.prepare('UPDATE tokens SET enabled = ? WHERE id = ?').run(enabled ? 1 : 0, id);
  }

  remove(id: string): void {
    this.#db.prepare('DELETE FROM tokens WHERE id = ?').run(id);
  }

  removeUser(user: string): void {
    this.#db.prepare('DELETE FROM tokens WHERE user = ?').run(user);
  }

  #sign(text: string): string {
    return createHmac('sha512', this.#secret).update(text).digest('base64url');
  }
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function token(row: Record<string, SQLOutputValue>): TokenRecord {
  return {
    id: String(row.id),
    user: String(row.user),
    audience: String(row.audience),
    issuer: String(row.issuer),
    expires: Number(row.expires),
    notBefore: Number(row.not_before),
    issued: Number(row.issued),
    enabled: row.enabled === 1,
    lastUsed: Number(row.last_used),
  };
}
