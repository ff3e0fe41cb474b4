import type { EntityKind } from '../../contract/families/evidence.ts';
import { RELATIVE } from '../data/calendar.ts';
import { USER_WORDS } from '../data/fields.ts';
import { NO_NAME, PLAIN_WORDS } from '../data/words.ts';

import type { KeyKind, Lookups } from '../index/hits.ts';
import { rangeOf } from '../index/numberHits.ts';
import { isNameBehind } from '../index/userWords.ts';
import { hostKey } from '../reading/atoms.ts';
import { ipKey, urlParts, userOf, windowsPathKey } from '../reading/keys.ts';
import { type NumberReading, readNumber } from '../reading/numbers.ts';
import type { Shape, Sink } from '../reading/sink.ts';
import { skipBlanks, type TimeReading, wordAt } from '../reading/times.ts';
import type { Claim, ClaimOf, UserLookup } from './claim.ts';
import { type AnswerContext, roleOfNumber } from './context.ts';

/** Words that continue a list of users. */
const CONNECTIONS = /^(?:, (?:and |und |et )?| and | und | et |\/| & )$/;
const LONGEST_CONNECTION = 8;
const LONGEST_INDENT = 20;
const LEAST_WORD = 2;
const LONGEST_WORD = 256;
/** Whole numbers below it are no claims. */
const LEAST_NUMBER = 10;

/** Reads the claims of an answer, and registers what they look up. */
export class AnswerReader implements Sink {
  readonly claims: Claim[] = [];
  readonly #text: string;
  readonly #context: AnswerContext;
  readonly #wanted: Lookups;
  /** Index behind the last word that stands before users, and whether names must show that they are some. */
  #users: { end: number; isMany: boolean } | undefined;
  /** Index behind the last judgement, such as the 3 of `3/10`. */
  #judgementEnd = -1;

  constructor(text: string, context: AnswerContext, wanted: Lookups) {
    this.#text = text;
    this.#context = context;
    this.#wanted = wanted;
  }

  take(shape: Shape, start: number, end: number, digitsEnd = end): void {
    if (this.#context.is('quoted', start)) return;
    const text = this.#text.slice(start, end);
    const place = { start, end };
    switch (shape) {
      case 'word':
        this.#word(start, end);
        return;
      case 'ipv4':
      case 'ipv6':
        this.#value(shape, 'ip', ipKey(this.#text, shape === 'ipv6', start, end, digitsEnd), place);
        return;
      case 'url':
        this.#value('url', 'url', urlParts(text).key, place);
        return;
      case 'mail':
        this.#mail(text.toLowerCase(), place);
        return;
      case 'domainUser':
        this.#domainUser(text, place);
        return;
      case 'hash':
        this.#value('hash', 'hash', text.toLowerCase(), place);
        return;
      case 'shortHash':
        this.#shortHash(text.toLowerCase(), place);
        return;
      case 'cve':
      case 'attack':
        this.#value(shape, 'id', text.toUpperCase(), place);
        return;
      case 'windowsPath':
        this.#value('path', 'windowsPath', windowsPathKey(text), place);
        return;
      case 'path':
        this.#value('path', 'path', text.endsWith('/') ? text.slice(0, -1) : text, place);
        return;
      case 'host':
        this.#host(text, place);
        return;
      case 'file':
        this.#file(text, place);
        return;
      case 'version':
        this.#version(text, place);
        return;
    }
  }

  time(start: number, reading: TimeReading): void {
    const { dates, isMonth, clock, zone } = reading;
    const key = `time ${JSON.stringify([dates, isMonth, clock?.ms, clock?.unit, zone && (zone.offset ?? 'local')])}`;
    this.#add({ type: 'time', time: { reading, hits: new Map() }, ...this.#place(start, reading.end, key) });
  }

  number(start: number, reading: NumberReading): number {
    const span = this.#span(start, reading);
    if (span !== undefined) return span;
    if (!this.#isNumberClaim(start, reading)) return reading.end;
    const parts = this.#parts(start, reading);
    this.#add({ ...this.#numberClaim(start, reading), parts });
    return reading.end;
  }

  #add(claim: Claim): void {
    if (!this.#context.is('quoted', claim.start)) this.claims.push(claim);
  }

  #place(start: number, end: number, key: string) {
    return { start, end, key, isQuiet: this.#context.is('heading', start) };
  }

  #value(kind: EntityKind, keyKind: KeyKind, key: string, { start, end }: { start: number; end: number }): void {
    // A mapped address is the IPv4 address.
    const own = kind === 'ipv6' && !key.includes(':') ? 'ipv4' : kind;
    const hits = [this.#wanted.key(keyKind, key)];
    this.#add({ type: 'value', kind: own, hits, ...this.#place(start, end, `${keyKind} ${key}`) });
  }

  #user(name: string, domain: string | undefined): UserLookup {
    return { name, domain, hits: this.#wanted.user(name) };
  }

  #mail(mail: string, { start, end }: { start: number; end: number }): void {
    const { name, domain } = userOf(mail, '@');
    const hits = this.#wanted.key('mail', mail);
    this.#add({ type: 'mail', hits, user: this.#user(name, domain), ...this.#place(start, end, `mail ${mail}`) });
  }

  #domainUser(text: string, { start, end }: { start: number; end: number }): void {
    const { name, domain } = userOf(text, '\\');
    // Keys of a registry look the same.
    if (/^hk(?:lm|cu|cr|u|cc|ey_\w{1,20})$/.test(domain ?? '')) return;
    const place = this.#place(start, end, `user ${domain ?? ''}\\${name}`);
    this.#add({ type: 'domainUser', word: this.#wanted.word(name), user: this.#user(name, domain), ...place });
    this.#users = this.#users && this.#isUserPlace(start) ? { ...this.#users, end } : undefined;
  }

  #shortHash(text: string, { start, end }: { start: number; end: number }): void {
    const [beginning = '', ending = ''] = text.split(/\u2026|\.\.\./);
    const hits = this.#wanted.hashes(beginning);
    this.#add({
      type: 'shortHash',
      beginning,
      ending,
      hits,
      ...this.#place(start, end, `hash ${beginning}…${ending}`),
    });
  }

  #host(text: string, { start, end }: { start: number; end: number }): void {
    const host = hostKey(text);
    const hits = this.#wanted.key('host', host);
    this.#add({
      type: 'host',
      hits,
      user: this.#user(text.toLowerCase(), undefined),
      ...this.#place(start, end, `host ${host}`),
    });
  }

  #file(text: string, { start, end }: { start: number; end: number }): void {
    const hits = [this.#wanted.key('file', text), this.#wanted.key('anyCaseFile', text.toLowerCase())];
    this.#add({ type: 'value', kind: 'file', hits, ...this.#place(start, end, `file ${text}`) });
  }

  #version(text: string, place: { start: number; end: number }): void {
    if (roleOfNumber(this.#text, place.start) === 'name' || this.#context.is('listNumber', place.start)) return;
    // At the start of a line it is the number of a heading.
    const before = this.#text.slice(Math.max(0, place.start - LONGEST_INDENT), place.start);
    if (before.trim() === '' && (before.includes('\n') || place.start < LONGEST_INDENT)) return;
    this.#value('version', 'version', text, place);
  }

  #word(start: number, end: number): void {
    const length = end - start;
    if (length < LEAST_WORD || length > LONGEST_WORD) return;
    const lower = this.#text.slice(start, end).toLowerCase();
    const userWord = USER_WORDS.get(lower);
    if (userWord) {
      this.#users = { end, isMany: userWord.isMany };
      return;
    }
    const isNamed = this.#isUserPlace(start) && this.#mayBeName(lower, start);
    if (this.#users) {
      if (isNamed) this.#users = { ...this.#users, end };
      else if (!/^(?:and|und|et|name)$/.test(lower)) this.#users = undefined;
      else if (lower === 'name') this.#users = { ...this.#users, end };
    }
    if (!isNamed && (PLAIN_WORDS.has(lower) || NO_NAME.has(lower))) return;
    const place = this.#place(start, end, `word ${lower}`);
    this.#add({ type: 'word', word: this.#wanted.word(lower), user: this.#user(lower, undefined), isNamed, ...place });
  }

  /** Whether a word stands right behind `user` and the like, or goes on with a list of users. */
  #isUserPlace(start: number): boolean {
    if (!this.#users) return false;
    const { end } = this.#users;
    if (isNameBehind(this.#text, end, start)) return true;
    const gap = this.#text.slice(end, start).replace(/[*`]/g, '');
    return start - end <= LONGEST_CONNECTION + 4 && CONNECTIONS.test(gap);
  }

  #mayBeName(lower: string, start: number): boolean {
    const isMarked = '`"\'*'.includes(this.#text.charAt(start - 1)) && start > 0;
    const looksLikeOne = /[\d._$]/.test(lower);
    if (isMarked || looksLikeOne) return !/^\d+$/.test(lower);
    return !this.#users?.isMany && !NO_NAME.has(lower) && !/(?:tion|ment|ness|ships?|ings?|ities|ity)$/.test(lower);
  }

  /** `9 minutes later`. */
  #span(start: number, reading: NumberReading): number | undefined {
    if (reading.unit?.dimension !== 'time') return undefined;
    const from = skipBlanks(this.#text, reading.end);
    const word = wordAt(this.#text, from).toLowerCase();
    const [value] = reading.values;
    if (!RELATIVE.has(word) || value === undefined) return undefined;
    const end = from + word.length;
    const range = rangeOf(value.value, value.decimals, reading.unit.factor);
    this.#add({
      type: 'span',
      ...range,
      isAgo: word === 'ago',
      ...this.#place(start, end, `span ${range.from} ${range.to}`),
    });
    return end;
  }

  #isNumberClaim(start: number, { values, unit, digitsEnd, end, digits }: NumberReading): boolean {
    const text = this.#text;
    if (this.#context.is('listNumber', start) || this.#context.is('advice', start)) return false;
    const isBehindJudgement =
      this.#judgementEnd >= 0 && this.#judgementEnd === start - 1 && text.charAt(start - 1) === '/';
    const role = isBehindJudgement ? 'judgement' : roleOfNumber(text, start);
    if (role === 'judgement') this.#judgementEnd = end;
    if (role) return false;
    if (text.startsWith('24/7', start) || /^[-\u2011]\d/.test(text.slice(end, end + 2))) return false;
    const written = text.slice(start, digitsEnd);
    if (unit === undefined && /^(?:19|20)\d\d$/.test(written)) return false;
    const isSmall = values.every(({ value, decimals }) => decimals === 0 && Math.abs(value) < LEAST_NUMBER);
    return digits !== undefined || unit !== undefined || !isSmall;
  }

  #numberClaim(start: number, reading: NumberReading): ClaimOf<'number'> {
    const { values, unit, digits, end } = reading;
    const key = `number ${digits ?? JSON.stringify(values.at(-1))} ${unit?.dimension ?? ''} ${unit?.factor ?? ''}`;
    const number = { reading, hits: new Map() };
    const wanted = digits === undefined ? undefined : this.#wanted.key('digits', digits);
    return { type: 'number', number, digits: wanted, parts: [], ...this.#place(start, end, key) };
  }

  /** The numbers that blanks separate, where these may not be the separators of one number. */
  #parts(start: number, reading: NumberReading): ClaimOf<'number'>[] {
    if (reading.firstGroupEnd === undefined) return [];
    const groups = [...this.#text.slice(start, reading.digitsEnd).matchAll(/\d+/g)];
    // Thin blanks and those that break no line are separators.
    if (groups.length > 4 || /[^\d ]/.test(this.#text.slice(start, reading.digitsEnd))) return [];
    return groups.flatMap(({ index, 0: group }, place) => {
      const own =
        place === groups.length - 1
          ? readNumber(this.#text, start + index)
          : alone(group, start + index + group.length);
      return own && this.#isNumberClaim(start + index, own) ? [this.#numberClaim(start + index, own)] : [];
    });
  }
}

const alone = (group: string, end: number): NumberReading => ({
  values: [{ value: Number(group), decimals: 0 }],
  digitsEnd: end,
  end,
  mayBeList: false,
});
