import { Fault } from '../../../contract/codes/faults.ts';
import {
  ALERT_ACTION,
  MAX_ALERT_ROWS,
  PASSING_ALERT_REASONS,
  withoutHidden,
} from '../../../contract/families/alerts.ts';
import { parallel } from '../../../domain/async/parallel.ts';
import type { Stores } from '../../../domain/records/sealedRecord.ts';
import type { RunDoc } from '../documents/stored.ts';
import type { PreparedRun } from '../service.ts';
import { AlertClaims, alertKeys, type ClaimedRow, type RowClaim, rowBusy } from './claims.ts';
import { type LeftRow, leftBeyond, reasonFor } from './events.ts';
import { inputOf, keyOf } from './input.ts';
import type { AlertSettings } from './params.ts';
import { hashOfRow, originOf, ridOf, sourceOf } from './rows.ts';
import type { Alert, AlertOutcomeView, AlertRow } from './schemas.ts';

/** Rows that are claimed at a time: a claim has to be worked on before it ends. */
const CLAIMED_AT_ONCE = 8;
/** Longer than another request that is dead keeps its claim. */
const WAIT_MS = 12_000;

/** Access of a request that starts runs. */
export interface AlertSite {
  stores: Pick<Stores, 'records' | 'clock' | 'newId' | 'log'>;
  user: string;
  /** Judges rights and limits, and reads what runs are made from. @throws Fault */
  prepare(): Promise<PreparedRun>;
  newRun(prepared: PreparedRun, input: string, id: string): Promise<RunDoc>;
  run(id: string): Promise<RunDoc | undefined>;
  /** @returns false if there is a run with this id. @throws Fault `too_many_runs`, `store_unavailable` */
  insert(run: RunDoc): Promise<boolean>;
  /** After a run was stored: gives it a worker. Does not reject. */
  begin(run: RunDoc): Promise<void>;
  /** Goes on with a run that a dead process has stored. Does not reject. */
  resume(run: RunDoc): Promise<void>;
  /** Sends the events of rows that were not started. Does not reject. */
  report(rows: readonly LeftRow[]): Promise<void>;
}

/** A run that is to be started: for a row, or for the whole alert. */
interface Unit {
  /** Index of the row in the request. */
  row: number;
  first: AlertRow;
  /** Rows for the input. */
  rows: readonly AlertRow[];
  claim: string;
  rid: string;
}

type AlertPlace = RunDoc['result'];

/** Starts the runs of one request of an alert. */
export class AlertStart {
  readonly #site: AlertSite;
  readonly #alert: Alert;
  readonly #settings: AlertSettings;
  readonly #result: AlertPlace;
  readonly #claims: AlertClaims;
  readonly #left: LeftRow[] = [];
  /** Rows that get no run, each reported by an event before others may pass over it. */
  readonly #ended: RowClaim[] = [];
  #prepared: PreparedRun | undefined;
  /** Why no further row of the request is started. */
  #refusal: Fault | undefined;

  /** @param result where the answers go */
  constructor(site: AlertSite, alert: Alert, settings: AlertSettings, result: AlertPlace) {
    this.#site = site;
    this.#alert = { ...alert, rows: alert.rows.map((row) => withoutHidden(row)) };
    this.#settings = settings;
    this.#result = result;
    this.#claims = new AlertClaims(site.stores);
  }

  /** Rows in their order: the first ones get the places of the search. Every row that gets no run is reported. */
  async start(): Promise<AlertOutcomeView[]> {
    const waitsUntil = this.#site.stores.clock.monotonic() + WAIT_MS;
    const outcomes: AlertOutcomeView[] = [];
    const units = this.#units();
    for (let from = 0; from < units.length; from += CLAIMED_AT_ONCE) {
      const some = units.slice(from, from + CLAIMED_AT_ONCE);
      const claimed = await parallel(some, CLAIMED_AT_ONCE, ({ claim }) => this.#claim(claim, waitsUntil));
      for (const [index, unit] of some.entries()) {
        outcomes.push({ row: unit.row, ...(await this.#outcomeOf(unit, claimed[index] as ClaimedRow | Fault)) });
      }
    }
    await this.#leaveRest(waitsUntil);
    if (this.#left.length > 0) await this.#site.report(this.#left);
    await parallel(this.#ended, CLAIMED_AT_ONCE, (claim) => this.#unlessFault(this.#claims.finish(claim, 'ended')));
    return outcomes;
  }

  #units(): Unit[] {
    const { rows, ordinals = [] } = this.#alert;
    if (this.#settings.per === 'alert') {
      const [first] = rows;
      if (!first) return [];
      const shown = rows.slice(0, this.#settings.maxRows);
      return [{ row: 0, first, rows: shown, claim: this.#claimKey([]), rid: ridOf(this.#alert, first, 0) }];
    }
    const counts = new Map<string, number>();
    return rows.map((first, row) => {
      const hash = hashOfRow(first);
      const before = counts.get(hash) ?? 0;
      counts.set(hash, before + 1);
      const claim = this.#claimKey([hash, ordinals[row] ?? before]);
      return { row, first, rows: [first], claim, rid: ridOf(this.#alert, first, row) };
    });
  }

  get #placesKey(): string {
    return alertKeys.places(this.#site.user, this.#alert.sid, ALERT_ACTION);
  }

  #claimKey(row: readonly (string | number)[]): string {
    const { sid, result_id = '' } = this.#alert;
    return alertKeys.claim(this.#site.user, sid, result_id, ALERT_ACTION, row);
  }

  async #claim(key: string, waitsUntil: number): Promise<ClaimedRow | Fault> {
    try {
      return await this.#claims.claim(key, waitsUntil);
    } catch (error) {
      if (error instanceof Fault) return error;
      throw error;
    }
  }

  async #outcomeOf(unit: Unit, claimed: ClaimedRow | Fault): Promise<Omit<AlertOutcomeView, 'row'>> {
    if (claimed instanceof Fault) return this.#refused(unit, claimed);
    const { claim, isOurs } = claimed;
    if (!isOurs && claim.state === 'begun') return this.#refused(unit, rowBusy());
    if (!isOurs) return { outcome: 'claimed', ...(claim.state === 'started' ? { run_id: claim.run_id } : {}) };
    /** Gives back what the row has taken. */
    const undo: (() => Promise<void>)[] = [() => this.#claims.drop(claim)];
    try {
      return await this.#startRow(unit, claimed, undo);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      for (const give of this.#givenBack(claim, error, undo)) await this.#unlessFault(give());
      if (error.code === 'too_many_runs') this.#refusal = error;
      return this.#refused(unit, error);
    }
  }

  /** @param undo from the first to the last that was taken */
  #givenBack(claim: RowClaim, { code }: Fault, undo: readonly (() => Promise<void>)[]): (() => Promise<void>)[] {
    // Another request may have gone on with the row, and its run needs what was taken.
    if (!this.#claims.isInTime(claim)) return [];
    // The answer of the store may be lost, and the run be there: a later request looks.
    return code === 'store_unavailable' ? [() => this.#claims.leave(claim)] : undo.toReversed();
  }

  /** @throws Fault for a row that is not started */
  async #startRow(
    unit: Unit,
    { claim, isLeft }: ClaimedRow,
    undo: (() => Promise<void>)[],
  ): Promise<Omit<AlertOutcomeView, 'row'>> {
    const earlier = isLeft ? await this.#site.run(claim.run_id) : undefined;
    const { key: template, suppressS, maxRuns } = this.#settings;
    const key = template === '' || suppressS === 0 ? undefined : this.#suppressionKey(unit);
    if (earlier) {
      await this.#site.resume(earlier);
      return this.#started(claim, key);
    }
    const prepared = await this.#prepare();
    const run = await this.#newRun(unit, prepared, claim.run_id);
    if (key !== undefined) {
      const taken = await this.#claims.takeKey(key, claim, suppressS);
      if (taken === 'busy') throw new Fault('busy', 'Another row with the same key is being started. Send it again.');
      if (taken === 'suppressed') {
        if (isLeft) await this.#claims.dropPlacesOf(this.#placesKey, claim);
        return this.#ends(unit, claim, 'suppressed');
      }
      undo.push(() => this.#claims.dropKey(key, claim));
    }
    const place = await this.#claims.takePlace(this.#placesKey, maxRuns, claim);
    if (place === undefined) {
      if (key !== undefined) await this.#claims.dropKey(key, claim);
      return this.#ends(unit, claim, 'max_runs');
    }
    undo.push(() => this.#claims.dropPlace(place, claim));
    if (!this.#claims.isInTime(claim)) throw new Fault('busy', 'The stores were too slow. Send the row again.');
    const isNew = await this.#site.insert(run);
    if (isNew) await this.#site.begin(run);
    const started = await this.#started(claim, key);
    return isNew ? started : { ...started, outcome: 'claimed' };
  }

  /** The run is stored: what cannot be noted now, a later request finds by the run. */
  async #started(claim: RowClaim, key: string | undefined): Promise<Omit<AlertOutcomeView, 'row'>> {
    const { suppressS } = this.#settings;
    if (key !== undefined) await this.#unlessFault(this.#claims.startKey(key, claim, suppressS));
    await this.#unlessFault(this.#claims.finish(claim, 'started', suppressS));
    return { outcome: 'started', run_id: claim.run_id };
  }

  async #prepare(): Promise<PreparedRun> {
    if (this.#refusal) throw this.#refusal;
    try {
      this.#prepared ??= await this.#site.prepare();
      return this.#prepared;
    } catch (error) {
      if (error instanceof Fault) this.#refusal = error;
      throw error;
    }
  }

  async #newRun(unit: Unit, prepared: PreparedRun, id: string): Promise<RunDoc> {
    const { rows, row_count = rows.length, search_name } = this.#alert;
    const { onApproval } = this.#settings;
    const input = inputOf(this.#settings, unit.rows, Math.max(row_count, rows.length));
    const run = await this.#site.newRun(prepared, input, id);
    return {
      ...run,
      ...{ source: sourceOf(this.#alert), origin: originOf(this.#alert, unit.first, unit.rid) },
      ...(search_name === '' ? {} : { search_name }),
      ...(this.#result ? { result: this.#result } : {}),
      ...(onApproval === 'reject' ? { on_approval: onApproval } : {}),
    };
  }

  #suppressionKey({ first }: Unit): string {
    const { search_name, app } = this.#alert;
    const search = search_name === '' ? [] : [app, search_name];
    return alertKeys.suppression(this.#site.user, search, keyOf(this.#settings, first));
  }

  #ends({ rid }: Unit, claim: RowClaim, reason: 'suppressed' | 'max_runs'): Omit<AlertOutcomeView, 'row'> {
    const { suppress, most } = { suppress: this.#settings.suppressS, most: this.#settings.maxRuns };
    const message =
      reason === 'suppressed'
        ? `A row with the same key has started a run within ${suppress} seconds`
        : `The search has started ${most} runs, as many as max_runs allows`;
    this.#ended.push(claim);
    this.#left.push({ reason, message, rid });
    return { outcome: reason, message };
  }

  #refused({ rid }: Unit, { code, message }: Fault): Omit<AlertOutcomeView, 'row'> {
    const reason = reasonFor(code);
    const isPassing = PASSING_ALERT_REASONS.includes(reason);
    if (!(isPassing && this.#alert.will_retry)) this.#left.push({ reason, message, rid });
    return { outcome: 'refused', error_code: reason, message, ...(isPassing ? { should_retry: true } : {}) };
  }

  /** Rows beyond those that an alert may hand over, which the last request reports. */
  async #leaveRest(waitsUntil: number): Promise<void> {
    const { first_row = 0, rows, row_count = 0 } = this.#alert;
    const isLast = first_row + rows.length === MAX_ALERT_ROWS;
    if (this.#settings.per === 'alert' || !isLast || row_count <= MAX_ALERT_ROWS) return;
    const claimed = await this.#claim(this.#claimKey(['rest']), waitsUntil);
    // One event too many is better than none.
    if (!(claimed instanceof Fault)) {
      if (!claimed.isOurs) return;
      this.#ended.push(claimed.claim);
    }
    this.#left.push(leftBeyond(row_count));
  }

  async #unlessFault(work: Promise<void>): Promise<void> {
    await work.catch((error: unknown) => {
      if (!(error instanceof Fault)) throw error;
      this.#site.stores.log.warn('alert_claim_not_written', { code: error.code });
    });
  }
}
