import { DAY_MS, type TimeReading } from '../reading/times.ts';
import { addHit, type Hits } from './hits.ts';
import { type Range, Ranges } from './ranges.ts';

export interface TimeClaim {
  reading: TimeReading;
  hits: Hits;
}

/** A time of the data. */
export interface TimeValue {
  /** Epoch milliseconds, or those of the day where no date is written; as UTC if no zone is. */
  instant: number | undefined;
  /** Its clock reading as if that were UTC; undefined for epoch times. */
  clock: number | undefined;
  hasDate: boolean;
  hasZone: boolean;
  /** Milliseconds of the unit that is written. */
  unit: number;
}

interface Target {
  claim: TimeClaim;
  unit: number;
  needsZone: boolean;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** Times that an answer claims, found by those of the data. */
export class TimeTargets {
  readonly #instants: Ranges<Target>;
  readonly #clocks: Ranges<Target>;
  readonly #dayInstants: Ranges<Target>;
  readonly #dayClocks: Ranges<Target>;
  readonly #dayLocals: Ranges<Target>;
  readonly #zone: ZoneOffsets;
  readonly #year: number;

  constructor(claims: readonly TimeClaim[], startedAt: number, timeZone: string | undefined) {
    this.#zone = new ZoneOffsets(timeZone);
    this.#year = yearOf(startedAt);
    const instants: Range<Target>[] = [];
    const clocks: Range<Target>[] = [];
    const dayInstants: Range<Target>[] = [];
    const dayClocks: Range<Target>[] = [];
    const dayLocals: Range<Target>[] = [];
    for (const claim of claims) {
      const { reading } = claim;
      const { zone } = reading;
      const isLocal = zone !== undefined && zone.offset === undefined;
      const offset = (zone?.offset ?? 0) * MINUTE_MS;
      for (const { from, to, unit } of spansOf(reading, this.#year)) {
        const target = (needsZone: boolean): Target => ({ claim, unit, needsZone });
        const put = (ranges: Range<Target>[], shift: number, needsZone: boolean) =>
          ranges.push({ from: from - shift, to: to - shift, value: target(needsZone) });
        const isDay = reading.dates.length === 0;
        if (zone?.offset !== undefined) {
          if (isDay)
            dayInstants.push({ from: modDay(from - offset), to: modDay(from - offset) + unit, value: target(false) });
          else put(instants, offset, false);
          continue;
        }
        put(isDay ? dayClocks : clocks, 0, false);
        if (isLocal) continue;
        if (isDay) put(dayLocals, 0, true);
        else put(instants, this.#zone.at(from), true);
      }
    }
    this.#instants = new Ranges(instants);
    this.#clocks = new Ranges(clocks);
    this.#dayInstants = new Ranges(dayInstants);
    this.#dayClocks = new Ranges(dayClocks);
    this.#dayLocals = new Ranges(dayLocals);
  }

  /** Values that a time of the data may be: two where day and month may be exchanged. */
  valuesOf(reading: TimeReading): TimeValue[] {
    const { zone } = reading;
    const offset = (zone?.offset ?? 0) * MINUTE_MS;
    return spansOf(reading, this.#year).map(({ from, unit }) => ({
      instant: from - offset,
      clock: from,
      hasDate: reading.dates.length > 0,
      hasZone: zone?.offset !== undefined,
      unit,
    }));
  }

  note(value: TimeValue, source: number, field: string | undefined): void {
    const { instant, clock, hasDate, hasZone, unit } = value;
    const take = (ranges: Ranges<Target>, number: number) => {
      if (ranges.isEmpty) return;
      for (const target of ranges.holding(number)) {
        if (unit <= target.unit && (hasZone || !target.needsZone)) addHit(target.claim.hits, source, field);
      }
    };
    if (hasDate && instant !== undefined) take(this.#instants, instant);
    if (hasDate && clock !== undefined) take(this.#clocks, clock);
    if (unit >= DAY_MS) return;
    if (instant !== undefined) take(this.#dayInstants, modDay(instant));
    if (clock !== undefined) take(this.#dayClocks, modDay(clock));
    if (instant !== undefined && hasDate && hasZone && !this.#dayLocals.isEmpty) {
      take(this.#dayLocals, modDay(instant + this.#zone.ofInstant(instant)));
    }
  }
}

/** Times that a reading covers, as if they were UTC. */
function spansOf({ dates, isMonth, clock }: TimeReading, year: number): { from: number; to: number; unit: number }[] {
  if (dates.length === 0) {
    return clock ? [{ from: clock.ms, to: clock.ms + clock.unit, unit: clock.unit }] : [];
  }
  return dates.map((date) => {
    const day = Date.UTC(date.year ?? year, date.month - 1, date.day);
    if (isMonth) {
      const to = Date.UTC(date.year ?? year, date.month, 1);
      return { from: day, to, unit: to - day };
    }
    const from = day + (clock?.ms ?? 0);
    const unit = clock?.unit ?? DAY_MS;
    return { from, to: from + unit, unit };
  });
}

const modDay = (ms: number): number => ((ms % DAY_MS) + DAY_MS) % DAY_MS;
const yearOf = (seconds: number): number => new Date(seconds * 1000).getUTCFullYear();

/** Offsets of a zone, in milliseconds. */
class ZoneOffsets {
  readonly #format: Intl.DateTimeFormat | undefined;
  readonly #kept = new Map<number, number>();

  constructor(timeZone: string | undefined) {
    this.#format = timeZone === undefined || timeZone === 'UTC' ? undefined : formatOf(timeZone);
  }

  ofInstant(instant: number): number {
    if (!this.#format) return 0;
    const hour = Math.floor(instant / HOUR_MS);
    const kept = this.#kept.get(hour);
    if (kept !== undefined) return kept;
    const offset = offsetIn(this.#format, hour * HOUR_MS);
    this.#kept.set(hour, offset);
    return offset;
  }

  /** Offset at a clock reading. */
  at(clock: number): number {
    return this.ofInstant(clock - this.ofInstant(clock));
  }
}

/** A zone that the runtime does not know is UTC. */
function formatOf(timeZone: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  } catch {
    return undefined;
  }
}

function offsetIn(format: Intl.DateTimeFormat, instant: number): number {
  const name = format.formatToParts(instant).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign, hours = '0', minutes = '0'] = /GMT([+-])(\d\d):(\d\d)/.exec(name) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * HOUR_MS + Number(minutes) * MINUTE_MS);
}
