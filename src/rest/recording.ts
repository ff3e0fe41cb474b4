import {
  type AuditAction,
  type AuditEntry,
  type AuditWay,
  auditedUser,
  endOf,
  type ValuePath,
  VIA_HEADER,
} from '../contract/audit.ts';
import { isObject, type Json } from '../contract/basics.ts';
import type { Caller } from '../contract/caller.ts';
import { Fault } from '../contract/codes/faults.ts';
import type { CompiledRow } from '../contract/rows/compiled.ts';
import type { RequestParts } from './body.ts';
import { type CallInput, header } from './request.ts';
import type { Work } from './requestScope.ts';

/** Larger bodies that were not validated are not searched for a name. */
const MAX_UNCHECKED = 1024 * 1024;

/** With these codes nothing was done with a run: each of many tries is no entry of its own. */
const NOT_BEGUN: readonly string[] = ['invalid_state', 'too_many_runs'];

type AuditedRow = NonNullable<CompiledRow['audit']>;
type Sources = { [K in 'params' | 'query' | 'body' | 'new' | 'caller' | 'reply']?: unknown };

interface RecordedCall {
  row: CompiledRow;
  params: Json;
  input: CallInput;
  identity: Caller;
  requestId: string;
  work: Work;
}

/** The audit entry of one request, opened before the work or by a failure. */
export class Recording {
  readonly #audit: AuditedRow;
  readonly #call: RecordedCall;
  #sources: Sources;
  #entry: AuditEntry | undefined;
  /** The entry could not be written: the request fails, and no further write is tried. */
  #isGivenUp = false;

  private constructor(audit: AuditedRow, call: RecordedCall) {
    this.#audit = audit;
    this.#call = call;
    const { params, identity: caller, input } = call;
    this.#sources = { params, caller, query: Object.fromEntries(input.query) };
  }

  /** Undefined for endpoints that are not audited. */
  static of(call: RecordedCall): Recording | undefined {
    return call.row.audit ? new Recording(call.row.audit, call) : undefined;
  }

  /**
   * Opens the entry before the work.
   * @throws Fault `store_unavailable`: the work must not begin
   */
  async begin({ params, query, body }: RequestParts, created: { readonly id: string }): Promise<void> {
    Object.assign(this.#sources, { params, query, body, new: created });
    if (this.#isUnaudited() || this.#hasOwnEntries()) return;
    const entry = this.#open();
    this.#entry = entry;
    try {
      await entry.begin();
    } catch (error) {
      // No second attempt: a hanging store would delay the reply again, and the entry would be `unknown` anyway.
      this.#isGivenUp = true;
      throw error;
    }
  }

  /** Completes the entry after the work. @param warnings gets a message when it could not be written */
  async succeeded(value: object, warnings: string[]): Promise<void> {
    const entry = this.#entry;
    if (!entry) return;
    const { status, error_code, config } = value as { status?: string; error_code?: string; config?: unknown };
    this.#sources.reply = config;
    const runId = this.#runId();
    if (runId !== undefined) entry.run(runId);
    const version = this.#audit.action === 'save' ? versionOf(value) : undefined;
    const action = version === 1 ? 'create' : this.#action();
    entry.name(this.#name(), action);
    if (version !== undefined) entry.versions(version > 1 ? version - 1 : undefined, version);
    const isWritten = await entry.end(status === 'fail' ? { outcome: 'fail', error_code } : { outcome: 'success' });
    if (!isWritten) warnings.push('Done, but the audit entry is incomplete (outcome: unknown).');
  }

  /** Audits a refusal or failed work. A failure to write it does not change the reply. */
  async failed(error: unknown): Promise<void> {
    if (this.#isGivenUp) return;
    if (this.#entry) {
      const end = endOf(error);
      // Nothing was created, so the id does not exist.
      if (end.outcome === 'fail') this.#sources.new = undefined;
      this.#entry.name(this.#name());
      await this.#entry.end({ ...end, isRefusal: error instanceof Fault && this.#isTurnedAway(error) });
      return;
    }
    await this.#readUnchecked();
    if (this.#isUnaudited()) return;
    this.#entry = this.#open();
    // The work never began, so the outcome is known.
    await this.#entry.end({ ...endOf(error), outcome: 'fail', isRefusal: true });
  }

  #isTurnedAway({ status, code }: Fault): boolean {
    return status === 403 || (this.#audit.family === 'runs' && NOT_BEGUN.includes(code));
  }

  #open(): AuditEntry {
    const { requestId: request_id, identity, input, work } = this.#call;
    const via: AuditWay = header(input, VIA_HEADER.toLowerCase())?.trim() === 'search' ? 'search' : 'rest';
    const { family } = this.#audit;
    const [by, run_id] = [auditedUser(identity), this.#runId()];
    return work.record({ action: this.#action(), family, name: this.#name(), ...by, run_id, request_id, via });
  }

  #runId(): string | undefined {
    const { run } = this.#audit;
    return (run && this.#at(run)) || undefined;
  }

  /** Lists and dry runs are not audited. */
  #isUnaudited(): boolean {
    const { onlyNamed, onlyIf } = this.#audit;
    if (onlyNamed === true && this.#name() === '') return true;
    if (onlyIf === undefined || this.#at(onlyIf.at) === onlyIf.is) return false;
    const also = onlyIf.orHas && this.#valueAt(onlyIf.orHas);
    return !isObject(also) || Object.keys(also).length === 0;
  }

  /** Whether the handler writes entries for what it begins. */
  #hasOwnEntries(): boolean {
    const { byHandler } = this.#audit;
    return byHandler !== undefined && this.#valueAt(byHandler) !== undefined;
  }

  #name(): string {
    const parts = this.#audit.name.map((path) => this.#at(path));
    return parts.filter((part) => part !== '').join('/');
  }

  #action(): AuditAction {
    const { action, otherAction } = this.#audit;
    const override = otherAction?.actions[this.#at(otherAction.at).toLowerCase()];
    if (override) return override;
    if (action !== 'save') return action;
    // Corrected by the record's version on success.
    return this.#at('query.is_edit') === 'false' || this.#at('body.is_edit') === 'false' ? 'create' : 'update';
  }

  #valueAt(path: ValuePath): unknown {
    const [source = '', key = ''] = path.split('.');
    const values = this.#sources[source as keyof Sources];
    return isObject(values) && Object.hasOwn(values, key) ? values[key] : undefined;
  }

  #at(path: ValuePath): string {
    const value = this.#valueAt(path);
    return typeof value === 'string' ? value.trim() : typeof value === 'boolean' ? String(value) : '';
  }

  /** For a call refused before or by validation: only valid values may be used for the name. */
  async #readUnchecked(): Promise<void> {
    const { row } = this.#call;
    const checks = await row.checks();
    const { params, query } = this.#sources;
    const body = uncheckedBody(row, this.#call.input, MAX_UNCHECKED);
    // Validators may coerce values in place.
    const sources = { params: { ...(params as Json) }, query: { ...(query as Json) }, body };
    for (const source of ['params', 'query', 'body'] as const) {
      const values = sources[source];
      const invalid = new Set(checks[source]?.(values).map(({ field }) => field.split('.')[0]));
      this.#sources[source] = isObject(values)
        ? Object.fromEntries(Object.entries(values).filter(([key]) => !invalid.has(key)))
        : undefined;
    }
  }
}

/** The body of a call that was perhaps not checked; undefined if it is no JSON, or has more bytes. */
export function uncheckedBody(
  row: Pick<CompiledRow, 'bodyPlan' | 'wrapped'>,
  { body }: Pick<CallInput, 'body'>,
  maxBytes: number,
): unknown {
  if (row.bodyPlan === null || !body || body.byteLength > maxBytes) return undefined;
  try {
    const json: unknown = JSON.parse(Buffer.from(body).toString('utf8'));
    return row.wrapped && isObject(json) ? json.payload : json;
  } catch {
    return undefined;
  }
}

function versionOf(value: object): number | undefined {
  const { updated_config } = value as { updated_config?: { version?: unknown } };
  return typeof updated_config?.version === 'number' ? updated_config.version : undefined;
}
