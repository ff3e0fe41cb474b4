import { FILE_ENDINGS, PRODUCTS, SUFFIXES } from '../../domain/values/suffixes.ts';
import { before, type Sink } from '../spans/span.ts';
import { isWordAt, LETTERS, withoutEnd } from '../text/letters.ts';

const LOCAL = new RegExp(`[${LETTERS}0-9._%+'-]{1,64}$`);
const DOMAIN = new RegExp(`^[${LETTERS}0-9_-]{1,63}(?:\\.[${LETTERS}0-9_-]{1,63}){1,10}`);
const LONGEST_LOCAL = 64;
const LONGEST_DOMAIN = 253;

/** Starts at each `@`: a pattern for the whole would be tried at each letter. */
export function mails(text: string, sink: Sink): void {
  for (let index = text.indexOf('@'); index >= 0; index = text.indexOf('@', index + 1)) {
    const local = LOCAL.exec(before(text, index, LONGEST_LOCAL))?.[0].replace(/^[.'%+-]+/, '') ?? '';
    const domain = withoutEnd(DOMAIN.exec(text.slice(index + 1, index + 1 + LONGEST_DOMAIN))?.[0] ?? '', '-');
    if (local === '' || domain === '' || !endsInSuffix(domain)) continue;
    const end = index + 1 + domain.length;
    // `git@host:path` names a repository.
    if (local.toLowerCase() === 'git' && text.charAt(end) === ':') continue;
    sink.take('email', index - local.length, end);
  }
}

function endsInSuffix(name: string): boolean {
  const last = name.lastIndexOf('.') + 1;
  const code = name.charCodeAt(last);
  if (code >= 48 && code <= 57) return false;
  const ending = name.slice(last).toLowerCase();
  return SUFFIXES.has(ending) || ending.startsWith('xn--');
}

/** Endings of source files that are countries, too. */
const SOURCE_ENDINGS: ReadonlySet<string> = new Set(['rs']);
const PACKAGE = /^(?:com|org|net|io|java|javax|edu|gov|dev|kotlin|scala|sun)\./;
const PRIVATE = /\.(?:local|corp|lan|internal|home\.arpa|test|example|invalid)$/;
const CODE_WORDS: ReadonlySet<string> = new Set(
  'account actor agent app args array class client config console context data device document error event field file fields host http input item items key list log logger math message model module node object obj os output page params process props query req request res response result results root row rows self service session src dest dst source sys system target this token url user users value window'.split(
    ' ',
  ),
);
const HOST_CONTEXT =
  /(?:\/\/|@|\b(?:host|hostname|server|sni|domain|dns|fqdn|query|relay|computer|dest|src|dvc)["']?[ =:]{1,3}["']?)$/i;

/** Full names of hosts: labels, of which the last is a suffix. */
export function hostNames(text: string, sink: Sink): void {
  if (!text.includes('.')) return;
  for (let index = 0; index < text.length; index += 1) {
    if (!isWordAt(text, index)) continue;
    const { end, lastDot } = dottedName(text, index);
    if (lastDot > index && end - index <= LONGEST_DOMAIN) takeHost(text, sink, index, end);
    index = end;
  }
}

/** A run of letters, digits, `_` and `-` with single dots between; by hand, since a pattern would be tried at each letter. */
function dottedName(text: string, start: number): { end: number; lastDot: number } {
  let end = start;
  let lastDot = -1;
  for (;;) {
    while (isLabelAt(text, end)) end += 1;
    if (text.charCodeAt(end) !== DOT || !isLabelAt(text, end + 1)) return { end, lastDot };
    lastDot = end;
    end += 1;
  }
}

const DOT = 46;
const isLabelAt = (text: string, index: number): boolean => isWordAt(text, index) || text.charCodeAt(index) === 45;

function takeHost(text: string, sink: Sink, from: number, to: number): void {
  let [start, end] = [from, to];
  while (text.charAt(end - 1) === '-') end -= 1;
  while (text.charAt(start) === '_') start += 1;
  const name = text.slice(start, end);
  if (endsInSuffix(name) && isHost(text, name, start)) sink.take('host', start, end);
}

function isHost(text: string, name: string, start: number): boolean {
  const lower = name.toLowerCase();
  const context = before(text, start);
  const isNamed = HOST_CONTEXT.test(context);
  const isPrivate = PRIVATE.test(lower);
  const labels = name.split('.');
  const ending = lower.slice(lower.lastIndexOf('.') + 1);
  const next = text.slice(start + name.length, start + name.length + 4);
  if (labels.some((label) => label.startsWith('-') || label.endsWith('-'))) return false;
  if (!isNamed && (PACKAGE.test(lower) || PRODUCTS.has(lower))) return false;
  if (isNamed || isPrivate) return !(PACKAGE.test(lower) && /[a-z][A-Z]/.test(name));
  if (labels.length === 2 && (FILE_ENDINGS.has(ending) || SOURCE_ENDINGS.has(ending))) return false;
  if (/[a-z][A-Z]/.test(name) || isSentenceEnd(labels)) return false;
  if (labels.length > 2) return true;
  const isKey = /^["']?\s?[=(]|^["']\s?:/.test(next);
  return !isKey && !CODE_WORDS.has(labels[0]?.toLowerCase() ?? '') && !/[$\\/]$/.test(context);
}

/** `done.In` is the end of a sentence without a blank. */
function isSentenceEnd(labels: readonly string[]): boolean {
  const [previous = '', last = ''] = labels.slice(-2);
  return /^[A-Z][a-z]+$/.test(last) && /^[a-z]/.test(previous);
}

const HOST_KEY =
  /(?<![A-Za-z0-9])(?:host(?:_?name)?|dvc|device_?name|devname|computer(?:_?name)?|workstation(?:_?name)?|machine(?:_?name)?|server_?name|node_?name|nt_host)["']?(?:=|:[ \t]?)["']?([A-Za-z0-9][\w-]{0,62}\$?)(?![\w.\\(=@/])/gi;
const NO_NAME: ReadonlySet<string> = new Set(
  'true false null none unknown localhost default any yes no n a is was the and or not'.split(' '),
);

/** Bare names, which only the word before tells. */
export function keyedHosts(text: string, sink: Sink): void {
  for (const match of text.matchAll(HOST_KEY)) {
    const [whole, name = ''] = match;
    const isPlainWord = /^[a-z]+$/.test(name) && /:[ \t]?$/.test(whole.slice(0, -name.length));
    if (NO_NAME.has(name.toLowerCase()) || /^\d+$/.test(name) || isPlainWord) continue;
    const end = match.index + whole.length;
    sink.take('host', end - name.length, end);
  }
}

const LEASE = / \((?<=[0-9a-f]{2}(?:[:-][0-9a-f]{2}){5} \()([A-Za-z0-9][\w-]{0,62})\)/gi;

export function leasedHosts(text: string, sink: Sink): void {
  for (const match of text.matchAll(LEASE)) {
    const [whole, name = ''] = match;
    const end = match.index + whole.length - 1;
    sink.take('host', end - name.length, end);
  }
}
