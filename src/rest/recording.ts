import {
  type AuditAction,
  type AuditEntry,
  type AuditWay,
  endOf,
  type ValuePath,
  VIA_HEADER,
} from '../contract/audit.ts';
import { isObject, type Json } from '../contract/basics.ts';
import type { Caller } from '../contract/caller.ts';
import type { CompiledRow } from '../contract/rows/compiled.ts';
import type { Checked } from './body.ts';
import { type CallInput, header } from './request.ts';
import type { Work } from './requestScope.ts';

/** A body that has not been checked is read for its name up to this size. */
const READ_UNCHECKED = 1024 * 1024;

type AuditedRow = NonNullable<CompiledRow['audit']>;
type Sources = { [K in 'params' | 'query' | 'body' | 'new' | 'caller']?: unknown };

interface RecordedCall {
  row: CompiledRow;
  params: Json;
  input: CallInput;
  identity: Caller;
  requestId: string;
  work: Work;
}

/** The entry of the audit trail for one request: opened by the first thing that is worth one. */
export class Recording {
  readonly #audit: AuditedRow;
  readonly #call: RecordedCall;
  #sources: Sources;
  #entry: AuditEntry | undefined;
  /** Its beginning could not be written: nothing is done, and nothing more is written. */
  #isGivenUp = false;

  private constructor(audit: AuditedRow, call: RecordedCall) {
    this.#audit = audit;
    this.#call = call;
    const { params, identity: caller, input } = call;
    this.#sources = { params, caller, query: Object.fromEntries(input.query) };
  }

  /** Undefined for a row that is not recorded. */
  static of(call: RecordedCall): Recording | undefined {
    return call.row.audit ? new Recording(call.row.audit, call) : undefined;
  }

  /**
   * Before the work.
   * @param created what it creates, if it does
   * @throws Fault `store_unavailable`: nothing may be done then
   */
  async begin({ params, query, body }: Checked, created: { readonly id: string }): Promise<void> {
    Object.assign(this.#sources, { params, query, body, new: created });
    if (this.#isPlain()) return;
    const entry = this.#open();
    this.#entry = entry;
    try {
      await entry.begin();
    } catch (error) {
      // A store that hangs would be waited for again and again: what it has of this entry says that nobody knows.
      this.#isGivenUp = true;
      throw error;
    }
  }

  /** After the work. @param warnings is told when this could not be written down */
  async succeeded(value: object, warnings: string[]): Promise<void> {
    const entry = this.#entry;
    if (!entry) return;
    const { status, error_code } = value as { status?: string; error_code?: string };
    const version = this.#audit.action === 'save' ? versionOf(value) : undefined;
    const action = version === 1 ? 'create' : this.#action();
    entry.name(this.#name(), action);
    if (version !== undefined) entry.versions(version > 1 ? version - 1 : undefined, version);
    const isWritten = await entry.end(status === 'fail' ? { outcome: 'fail', error_code } : { outcome: 'success' });
    if (!isWritten)
      warnings.push('This was done, but the audit trail could not take down how it ended: its entry says unknown');
  }

  /** A refusal, or work that failed. Nobody is answered differently for want of an entry: nothing was done. */
  async failed(error: unknown): Promise<void> {
    if (this.#isGivenUp) return;
    if (this.#entry) {
      const end = endOf(error);
      // What was refused has not been created: nothing has that id.
      if (end.outcome === 'fail') this.#sources.new = undefined;
      this.#entry.name(this.#name());
      await this.#entry.end(end);
      return;
    }
    await this.#readUnchecked();
    if (this.#isPlain()) return;
    this.#entry = this.#open();
    // What never began has not half happened.
    await this.#entry.end({ ...endOf(error), outcome: 'fail' });
  }

  #open(): AuditEntry {
    const { requestId: request_id, identity, input, work } = this.#call;
    const via: AuditWay = header(input, VIA_HEADER.toLowerCase())?.trim() === 'search' ? 'search' : 'rest';
    const { family } = this.#audit;
    return work.record({ action: this.#action(), family, name: this.#name(), user: identity.user, request_id, via });
  }

  /** A GET that names nothing is a list, and a plan does nothing. */
  #isPlain(): boolean {
    const { onlyNamed, onlyIf } = this.#audit;
    return (onlyNamed === true && this.#name() === '') || (onlyIf !== undefined && this.#at(onlyIf.at) !== onlyIf.is);
  }

  #name(): string {
    const parts = this.#audit.name.map((place) => this.#at(place));
    return parts.filter((part) => part !== '').join('/');
  }

  #action(): AuditAction {
    const { action, otherAction } = this.#audit;
    const instead = otherAction?.actions[this.#at(otherAction.at).toLowerCase()];
    if (instead) return instead;
    if (action !== 'save') return action;
    // Until the record tells: a body may say whether it is an edit.
    return this.#at('query.is_edit') === 'false' || this.#at('body.is_edit') === 'false' ? 'create' : 'update';
  }

  #at(place: ValuePath): string {
    const [source = '', key = ''] = place.split('.');
    const values = this.#sources[source as keyof Sources];
    const value = isObject(values) && Object.hasOwn(values, key) ? values[key] : undefined;
    return typeof value === 'string' ? value.trim() : typeof value === 'boolean' ? String(value) : '';
  }

  /** Of a call that was refused before it was checked, or by the check, only what would have passed may name anything. */
  async #readUnchecked(): Promise<void> {
    const { row } = this.#call;
    const checks = await row.checks();
    const { params, query } = this.#sources;
    // A validator may bring texts into their form.
    const sources = { params: { ...(params as Json) }, query: { ...(query as Json) }, body: this.#unchecked() };
    for (const source of ['params', 'query', 'body'] as const) {
      const values = sources[source];
      const wrong = new Set(checks[source]?.(values).map(({ field }) => field.split('.')[0]));
      this.#sources[source] = isObject(values)
        ? Object.fromEntries(Object.entries(values).filter(([key]) => !wrong.has(key)))
        : undefined;
    }
  }

  /** What such a body says. */
  #unchecked(): unknown {
    const { row, input } = this.#call;
    const { body } = input;
    if (row.bodyPlan === null || !body || body.byteLength > READ_UNCHECKED) return undefined;
    try {
      const json: unknown = JSON.parse(Buffer.from(body).toString('utf8'));
      return row.wrapped && isObject(json) ? json.payload : json;
    } catch {
      return undefined;
    }
  }
}

function versionOf(value: object): number | undefined {
  const { updated_config } = value as { updated_config?: { version?: unknown } };
  return typeof updated_config?.version === 'number' ? updated_config.version : undefined;
}
