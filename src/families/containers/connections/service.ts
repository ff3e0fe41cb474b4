import { randomInt } from 'node:crypto';
import type { Caller } from '../../../contract/caller.ts';
import { Fault, invalid, type Problem } from '../../../contract/faults.ts';
import { MASK } from '../../../contract/mask.ts';
import { SealedRecords, type Stores } from '../../../domain/sealed.ts';
import { decide, type GivenSecrets, type Secrets, splitSecrets } from '../../../domain/secrets.ts';
import type { Certificates } from '../../../ports/certificates.ts';
import type { Doc } from '../../../ports/recordStore.ts';
import { type ContainerType, DEFAULTS, type Fields, OPEN_NAMES, type OpenField } from '../fields.ts';
import type { ConnectionInput } from '../schemas.ts';
import { CONNECTIONS, type ConnectionOpen, type ConnectionStored, connectionKey, connectionSpec } from './records.ts';
import { connectionProblems, secretProblems } from './rules.ts';

export const RUNTIMES = 'ml_containers';
const TOKEN_LENGTH = 64;
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const EXPIRES_SOON_MS = 30 * 86_400_000;

/** A save under way: checked, not yet written. */
export interface Draft {
  key: string;
  before: ConnectionStored | undefined;
  given: GivenSecrets;
  changes: Partial<Record<OpenField, string | null>>;
  open: ConnectionOpen;
  /** In the clear, as they would be after the save. */
  secrets: Readonly<Secrets>;
  warnings: string[];
}

/** Container connections as records. Knows no engine. */
export class ContainerConnections {
  readonly sealed: SealedRecords<ConnectionStored>;
  readonly stores: Stores;
  readonly #secretPaths: readonly string[];
  readonly #certificates: Certificates;

  constructor(stores: Stores, secretPaths: readonly string[], certificates: Certificates) {
    this.stores = stores;
    this.sealed = new SealedRecords(connectionSpec, stores);
    this.#secretPaths = secretPaths;
    this.#certificates = certificates;
  }

  get certificates(): Certificates {
    return this.#certificates;
  }

  /** Epoch seconds. */
  now = (): number => this.stores.clock.now() / 1000;

  async all(type?: ContainerType): Promise<ConnectionStored[]> {
    return this.sealed.find(type === undefined ? {} : { query: { container_type: type } });
  }

  get(type: ContainerType, name: string): Promise<ConnectionStored> {
    return this.sealed.get(connectionKey(type, name));
  }

  /**
   * What a save would make of its input and of the stored record.
   * @throws Fault `validation_failed`, `duplicate_name`, `not_found` and the faults of secrets
   */
  async draft(input: ConnectionInput): Promise<Draft> {
    const { open: sent, given } = splitSecrets(asTexts(input), this.#secretPaths);
    const { container_type: type, connection_name: name } = input;
    const key = connectionKey(type, name);
    const isEdit = editFlag(sent.is_edit as string | null | undefined);
    const trimmed = trim(given);
    const before = await this.#before(key, isEdit, trimmed);
    // An application without a token answers nobody: one that is taken away is made anew.
    if (before ? trimmed.api_token === null : !trimmed.api_token) trimmed.api_token = newToken();
    const changes = Object.fromEntries(
      OPEN_NAMES.filter((field) => sent[field] !== undefined).map((field) => [field, blank(sent[field])]),
    );
    const open = applied(
      before ?? { _key: key, container_type: type, connection_name: name, ...DEFAULTS[type] },
      changes,
    );
    const decision = decide(trimmed, before?.secret_fields ?? []);
    const stored = [...decision.keep, ...Object.keys(decision.set)];
    const problems = [...connectionProblems({ type, fields: open, secrets: stored }), ...secretProblems(trimmed)];
    if (problems.length > 0) throw invalid(problems);
    const whole = before
      ? await this.sealed.preview(before, (record) => applied(record, changes), trimmed)
      : { record: open, secrets: decision.set };
    const warnings = await this.#checkCertificates(whole.record, whole.secrets);
    return { key, before, given: trimmed, changes, open: whole.record, secrets: whole.secrets, warnings };
  }

  async #before(key: string, isEdit: boolean, given: GivenSecrets): Promise<ConnectionStored | undefined> {
    if (isEdit) return this.sealed.get(key);
    if (await this.stores.records.get(CONNECTIONS, key)) {
      throw new Fault(
        'duplicate_name',
        "A container connection of this type and name exists already; change it with is_edit 'true'",
      );
    }
    decide(given, []);
    return undefined;
  }

  async save(draft: Draft, caller: Caller, condition: number | undefined, learned: Partial<ConnectionOpen> = {}) {
    if (!draft.before) return this.sealed.create({ ...draft.open, ...learned }, draft.given, caller.user);
    return this.sealed.update(draft.key, {
      actor: caller.user,
      condition,
      given: draft.given,
      guard: () => {},
      next: (record) => {
        const next = { ...applied(record, draft.changes), ...learned };
        const { keep, set } = decide(draft.given, record.secret_fields);
        const secrets = [...keep, ...Object.keys(set)];
        // Another writer may have been here since the draft was checked.
        const problems = connectionProblems({ type: record.container_type, fields: next, secrets });
        if (problems.length > 0) throw invalid(problems);
        return next;
      },
    });
  }

  /** @throws Fault `not_found`, `in_use` with the models whose containers run through it */
  async remove(type: ContainerType, name: string, condition: number | undefined): Promise<ConnectionStored> {
    const key = connectionKey(type, name);
    return this.sealed.remove(key, {
      condition,
      guard: async () => {
        const query = { connection_key: key };
        const users = await this.stores.records.find<Doc & { model: string }>(RUNTIMES, { query, fields: ['model'] });
        if (users.length === 0) return;
        const models = users.map((user) => user.model);
        throw new Fault('in_use', `Containers run through it: ${models.join(', ')}; stop them first`, {
          used_by: models,
        });
      },
    });
  }

  /** Certificates and keys that are none, or do not belong together, are the fault of the input. */
  async #checkCertificates(fields: Fields, secrets: Secrets): Promise<string[]> {
    const problems: Problem[] = [];
    const warnings: string[] = [];
    const read = async (field: OpenField) => {
      const text = fields[field];
      if (text === undefined) return undefined;
      const found = await this.#certificates.read(text);
      if (!found)
        problems.push({ field, message: 'must be certificates: PEM, base64 of PEM, or the path of a readable file' });
      else warnings.push(...expiryWarning(field, found.expiresAt, this.stores.clock.now()));
      return found?.pem;
    };
    await read('cluster_ca');
    await read('endpoint_cert_filename_or_path');
    const certificate = await read('client_cert');
    if (secrets.client_key !== undefined) {
      const key = await this.#certificates.readKey(secrets.client_key);
      if (key === undefined) {
        const message = 'must be a private key without a password: PEM, base64 of PEM, or the path of a readable file';
        problems.push({ field: 'client_key', message });
      } else if (certificate !== undefined && !this.#certificates.match(certificate, key)) {
        problems.push({ field: 'client_key', message: 'does not belong to client_cert' });
      }
    }
    if (problems.length > 0) throw invalid(problems);
    return warnings;
  }
}

function expiryWarning(field: string, expiresAt: number, now: number): string[] {
  const day = new Date(expiresAt).toISOString().slice(0, 10);
  if (expiresAt <= now) return [`${field}: the certificate expired on ${day}`];
  return expiresAt - now < EXPIRES_SOON_MS ? [`${field}: the certificate expires on ${day}`] : [];
}

type Texts = Record<string, string | null | undefined>;

/** Booleans and numbers are taken for the texts that they look like. */
function asTexts(input: ConnectionInput): Texts {
  const entries = Object.entries(input).map(([key, value]) => {
    const isText = typeof value === 'string' || value === null || value === undefined;
    return [key, isText ? value : String(value)] as const;
  });
  return Object.fromEntries(entries);
}

/** Empty and null unset. */
const blank = (value: string | null | undefined): string | null => value?.trim() || null;

function trim(given: GivenSecrets): GivenSecrets {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, value === MASK ? value : blank(value)]),
  );
}

/** Changes upon fields; what is unset gets its default again. */
function applied<T extends Omit<ConnectionOpen, never>>(base: T, changes: Draft['changes']): T {
  const next: Record<string, unknown> = { ...base };
  for (const [name, value] of Object.entries(changes)) {
    const fallback = DEFAULTS[base.container_type][name as OpenField];
    if (value !== null) next[name] = value;
    else if (fallback !== undefined) next[name] = fallback;
    else delete next[name];
  }
  return next as T;
}

function editFlag(value: string | null | undefined): boolean {
  const text = value ?? 'false';
  if (/^(true|1)$/i.test(text)) return true;
  if (/^(false|0|)$/i.test(text)) return false;
  throw invalid([{ field: 'is_edit', message: "must be 'true' or 'false'" }]);
}

export function newToken(): string {
  return Array.from({ length: TOKEN_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('');
}
