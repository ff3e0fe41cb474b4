import type { Unit } from '../data/units.ts';
import { hostKey, isLikeHost } from '../reading/atoms.ts';
import { decoded } from '../reading/decoded.ts';
import { ipKey, lastPart, urlParts, userOf, windowsPathKey, withoutSlash } from '../reading/keys.ts';
import type { NumberReading } from '../reading/numbers.ts';
import { scan } from '../reading/scan.ts';
import type { Shape, Sink } from '../reading/sink.ts';
import type { TimeReading } from '../reading/times.ts';
import type { Table, Values } from '../values/results.ts';
import { type Facts, FieldFacts, NO_FACTS } from './fieldFacts.ts';
import { addHit, type KeyKind, type Lookups } from './hits.ts';
import type { NumberTargets } from './numberHits.ts';
import type { TimeTargets } from './timeHits.ts';
import { isNameBehind, isUserWord } from './userWords.ts';

/** Tables and times of a source, for what follows from them. */
export interface SourceData {
  source: number;
  tables: Table[];
  /** Epoch milliseconds. */
  instants: number[];
}

const LEAST_LABEL = 3;
/** Names have fewer; the suffixes of longer ones are not looked up one by one. */
const MOST_LABELS = 12;
/** URLs may stand in URLs. */
const MOST_DEPTH = 3;
const MOST_INSTANTS = 100_000;
/** From 2001 to 2096. */
const EPOCH = { from: 1e9, to: 4e9 };

/** Reads the data of one source and notes what the claims look up. */
export class DataReader implements Sink, Values {
  readonly data: SourceData;
  readonly #wanted: Lookups;
  readonly #numbers: NumberTargets;
  readonly #times: TimeTargets;
  readonly #facts = new FieldFacts();
  #text = '';
  #field: string | undefined;
  #current: Facts = NO_FACTS;
  /** Whether the text is a value of a user or host without blanks. */
  #isSingle = false;
  /** Index behind a word that stands before a user, -1 for none. */
  #userWordEnd = -1;
  /** How deep what is read stands in URLs and paths. */
  #depth = 0;

  constructor(source: number, wanted: Lookups, numbers: NumberTargets, times: TimeTargets) {
    this.data = { source, tables: [], instants: [] };
    this.#wanted = wanted;
    this.#numbers = numbers;
    this.#times = times;
  }

  table(table: Table): void {
    this.data.tables.push(table);
  }

  numberValue(value: number | bigint, field: string | undefined): void {
    this.#enter(field);
    if (typeof value === 'bigint') this.#key('digits', String(value < 0n ? -value : value));
    else this.#noteNumber(value, this.#current.unit);
  }

  textValue(text: string, field: string | undefined): void {
    this.#enter(field);
    const { text: plain } = decoded(text);
    this.#text = plain;
    this.#isSingle = (this.#current.isUser || this.#current.isHost) && !/\s/.test(plain.trim());
    this.#userWordEnd = -1;
    scan(plain, this);
  }

  #enter(field: string | undefined): void {
    this.#field = field;
    this.#current = this.#facts.of(field);
  }

  take(shape: Shape, start: number, end: number, digitsEnd = end): void {
    const text = this.#text;
    switch (shape) {
      case 'word':
        this.#word(start, end);
        return;
      case 'ipv4':
      case 'ipv6':
        this.#ip(shape, start, end, digitsEnd);
        return;
      case 'url':
        this.#url(start, end);
        return;
      case 'mail':
        this.#mail(start, end);
        return;
      case 'domainUser':
        this.#user(text.slice(start, end), '\\');
        this.#within(text.indexOf('\\', start) + 1, end);
        return;
      case 'windowsPath':
        this.#windowsPath(start, end);
        return;
      case 'path':
        this.#path(start, end);
        return;
      case 'hash':
        this.#hash(text.slice(start, end).toLowerCase());
        return;
      case 'cve':
      case 'attack':
        this.#id(text.slice(start, end).toUpperCase());
        this.#word(start, end);
        return;
      case 'host':
        this.#host(text.slice(start, end));
        this.#word(start, end);
        return;
      case 'file':
        this.#key('file', text.slice(start, end));
        this.#word(start, end);
        return;
      case 'version':
        this.#key('version', text.slice(start, end));
        return;
      case 'shortHash':
        return;
    }
  }

  time(_start: number, reading: TimeReading): void {
    for (const value of this.#times.valuesOf(reading)) {
      this.#times.note(value, this.data.source, this.#field);
      if (value.hasDate && value.instant !== undefined && reading.clock) this.#instant(value.instant);
    }
  }

  number(start: number, reading: NumberReading): number {
    if (reading.digits !== undefined) this.#key('digits', reading.digits);
    const unit = reading.unit ?? this.#current.unit;
    for (const { value } of reading.values) this.#noteNumber(value, unit);
    if (reading.mayBeList) {
      for (const part of this.#text.slice(start, reading.digitsEnd).split(',')) this.#noteNumber(Number(part), unit);
    }
    if (reading.firstGroupEnd === undefined) return reading.end;
    // Blanks may stand between two numbers as well as within one, so each group is read again.
    this.#noteNumber(Number(this.#text.slice(start, reading.firstGroupEnd)), this.#current.unit);
    return reading.firstGroupEnd;
  }

  #noteNumber(value: number, unit: Unit | undefined): void {
    const { source } = this.data;
    if (!this.#numbers.isEmpty) {
      this.#numbers.note(value, unit, source, this.#field);
      // A dash before a number may be its sign or not.
      if (value < 0) this.#numbers.note(-value, unit, source, this.#field);
    }
    if (value < EPOCH.from) return;
    const seconds = value < EPOCH.to ? value : value / 1000;
    if (seconds < EPOCH.from || seconds >= EPOCH.to) return;
    const instant = Math.round(seconds * 1000);
    this.#times.note({ instant, clock: undefined, hasDate: true, hasZone: true, unit: 1 }, source, this.#field);
    this.#instant(instant);
  }

  #instant(instant: number): void {
    if (this.data.instants.length < MOST_INSTANTS) this.data.instants.push(instant);
  }

  #key(kind: KeyKind, key: string): void {
    const hits = this.#wanted.keyHits(kind, key);
    if (hits) addHit(hits, this.data.source, this.#field);
  }

  #ip(shape: 'ipv4' | 'ipv6', start: number, end: number, digitsEnd: number): void {
    if (this.#wanted.has('ip')) this.#key('ip', ipKey(this.#text, shape === 'ipv6', start, end, digitsEnd));
  }

  /** Parts of a URL were seen as well: its host, its path, values of its query. */
  #url(start: number, end: number): void {
    const url = this.#text.slice(start, end);
    const authority = url.indexOf('://') + 3;
    if (this.#wanted.has('url') || this.#wanted.has('path')) {
      const { key, pathStart, pathEnd } = urlParts(url);
      this.#key('url', key);
      if (pathEnd > pathStart + 1) this.#key('path', withoutSlash(url.slice(pathStart, pathEnd)));
    }
    this.#within(start + authority, end);
  }

  #mail(start: number, end: number): void {
    const mail = this.#text.slice(start, end).toLowerCase();
    this.#key('mail', mail);
    if (this.#isUser(start)) this.#user(mail, '@');
    this.#host(mail.slice(mail.lastIndexOf('@') + 1));
  }

  #windowsPath(start: number, end: number): void {
    const path = this.#text.slice(start, end);
    this.#key('windowsPath', windowsPathKey(path));
    this.#key('anyCaseFile', lastPart(path, '\\').toLowerCase());
    this.#within(start, end, '\\');
  }

  #path(start: number, end: number): void {
    const path = this.#text.slice(start, end);
    this.#key('path', withoutSlash(path));
    this.#key('file', lastPart(path, '/'));
    this.#within(start, end, '/');
  }

  /** Reads what stands within something that was read as a whole. @param mark separates its parts */
  #within(start: number, end: number, mark?: string): void {
    if (this.#depth >= MOST_DEPTH) return;
    this.#depth += 1;
    const isSingle = this.#isSingle;
    this.#isSingle = false;
    const facts = this.#current;
    this.#current = NO_FACTS;
    if (mark === undefined) scan(this.#text, this, start, end);
    else {
      for (let from = start; from < end; ) {
        const next = this.#text.indexOf(mark, from);
        const to = next < 0 || next > end ? end : next;
        if (to > from) scan(this.#text, this, from, to);
        from = to + 1;
      }
    }
    this.#isSingle = isSingle;
    this.#current = facts;
    this.#depth -= 1;
  }

  #hash(hash: string): void {
    this.#key('hash', hash);
    this.#wanted.hashHits(hash)?.push({ hash, source: this.data.source, field: this.#field });
  }

  /** A technique is named by each of its parts as well. */
  #id(id: string): void {
    this.#key('id', id);
    const dot = id.indexOf('.');
    if (dot > 0) this.#key('id', id.slice(0, dot));
  }

  #host(name: string): void {
    const host = hostKey(name);
    this.#key('host', host);
    const first = host.indexOf('.');
    if (first >= LEAST_LABEL) {
      const label = this.#wanted.wordHits(host, 0, first);
      if (label) addHit(label.hosts, this.data.source, this.#field);
    }
    if (!this.#wanted.has('host')) return;
    let dot = first;
    for (let labels = 0; labels < MOST_LABELS && dot >= 0; labels += 1) {
      const next = host.indexOf('.', dot + 1);
      if (next > 0) this.#key('host', host.slice(dot + 1));
      dot = next;
    }
  }

  #word(start: number, end: number): void {
    const isUser = this.#isUser(start);
    if (isUserWord(this.#text, start, end)) this.#userWordEnd = end;
    const hits = this.#wanted.wordHits(this.#text, start, end);
    if (!hits) return;
    const { source } = this.data;
    addHit(hits.words, source, this.#field);
    const isWhole = this.#isSingle && this.#current.isHost;
    if (isWhole || isLikeHost(this.#text, start, end)) addHit(hits.hosts, source, this.#field);
    if (isUser) {
      const text = this.#text.slice(start, end);
      this.#noteUser(text.toLowerCase(), undefined, text);
    }
  }

  /** Whether the field holds users, or the word before says so. */
  #isUser(start: number): boolean {
    if (this.#current.isUser && this.#isSingle) return true;
    return this.#userWordEnd >= 0 && isNameBehind(this.#text, this.#userWordEnd, start);
  }

  #user(text: string, mark: '\\' | '@'): void {
    const { name, domain } = userOf(text, mark);
    this.#noteUser(name, domain, text);
  }

  #noteUser(name: string, domain: string | undefined, text: string): void {
    const hits = this.#wanted.userHits(name);
    if (!hits) return;
    const { source } = this.data;
    const isNoted = hits.some((hit) => hit.source === source && hit.domain === domain);
    if (!isNoted && hits.length < MOST_USERS) hits.push({ domain, text, source, field: this.#field });
  }
}

/** Domains of one name; more are hardly those of one organisation. */
const MOST_USERS = 500;
