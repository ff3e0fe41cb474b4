import { before, type Sink } from '../spans/span.ts';

interface Run {
  start: number;
  end: number;
}

const LONGEST_CARD = 19;
const LEAST_CARD = 13;
const MOST_GROUPS = 8;
/** First digits and lengths by brand. */
const BRANDS: readonly RegExp[] = [
  /^4(?:\d{12}|\d{15}|\d{18})$/,
  /^(?:5[1-5]\d{2}|222[1-9]|22[3-9]\d|2[3-6]\d{2}|27[01]\d|2720)\d{12}$/,
  /^3[47]\d{13}$/,
  /^3(?:0[0-5]|[68]\d)\d{11}$/,
  /^(?:6011|64[4-9]\d|65\d{2})\d{12}$/,
  /^35(?:2[89]|[3-8]\d)\d{12}$/,
  /^62\d{14,17}$/,
];

/** Digits with single blanks or dashes, as many as a card has and more. */
const CHAIN = /(?<!\d)\d(?:[ -]?\d){12,}/g;

/** Cards, from groups of digits with single blanks or dashes between. */
export function cards(text: string, sink: Sink): void {
  for (const { index, 0: chain } of text.matchAll(CHAIN)) cardsOf(text, sink, index, chain);
}

function cardsOf(text: string, sink: Sink, from: number, chain: string): void {
  const runs = [...chain.matchAll(/\d+/g)].map(({ index, 0: digits }): Run => {
    return { start: from + index, end: from + index + digits.length };
  });
  for (let first = 0; first < runs.length; first += 1) {
    const start = runs[first]?.start ?? 0;
    for (const end of endsOfCards(text, runs, first)) sink.take('card', start, end);
  }
}

/** Ends of the groups at which a card that begins with a group may end. */
function endsOfCards(text: string, runs: readonly Run[], first: number): number[] {
  if (/\w$|\d[.-]$/.test(before(text, runs[first]?.start ?? 0, 2))) return [];
  const ends: number[] = [];
  let digits = '';
  for (const { start, end } of runs.slice(first, first + MOST_GROUPS)) {
    digits += text.slice(start, end);
    if (digits.length > LONGEST_CARD) break;
    const isEnd = !/^(?:\w|[.-]\d)/.test(text.slice(end, end + 2));
    if (digits.length >= LEAST_CARD && isEnd && isCard(digits)) ends.push(end);
  }
  return ends;
}

const isCard = (digits: string): boolean => BRANDS.some((brand) => brand.test(digits)) && passesLuhn(digits);

function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let index = digits.length - 1, isDouble = false; index >= 0; index -= 1, isDouble = !isDouble) {
    const digit = digits.charCodeAt(index) - 48;
    sum += isDouble ? (digit > 4 ? digit * 2 - 9 : digit * 2) : digit;
  }
  return sum % 10 === 0;
}

/** Lengths of account numbers by country. */
const IBAN_LENGTHS: ReadonlyMap<string, number> = new Map(
  'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30'
    .split(' ')
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
);
const LEAST_IBAN = 4;
const IBAN = /(?<!\w)[A-Z]{2}\d{2}(?:[ -]?[A-Z0-9]){11,30}/gi;

export function bankAccounts(text: string, sink: Sink): void {
  IBAN.lastIndex = 0;
  for (let match = IBAN.exec(text); match; match = IBAN.exec(text)) {
    const [candidate] = match;
    const length = IBAN_LENGTHS.get(candidate.slice(0, 2).toUpperCase());
    const size = length === undefined ? undefined : endOfCharacters(candidate, length);
    const isNumber =
      size !== undefined && !/\w/.test(text.charAt(match.index + size)) && hasCheckDigits(candidate.slice(0, size));
    if (isNumber) sink.take('iban', match.index, match.index + size);
    // The next one may stand within the letters behind a shorter one.
    IBAN.lastIndex = match.index + (isNumber ? size : LEAST_IBAN);
  }
}

/** Index behind a number of letters and digits. */
function endOfCharacters(text: string, count: number): number | undefined {
  let left = count;
  for (let index = 0; index < text.length; index += 1) {
    if (/\w/.test(text.charAt(index))) left -= 1;
    if (left === 0) return index + 1;
  }
  return undefined;
}

function hasCheckDigits(text: string): boolean {
  const plain = text.replace(/[ -]/g, '').toUpperCase();
  let remainder = 0;
  for (const character of plain.slice(4) + plain.slice(0, 4)) {
    const value = Number.parseInt(character, 36);
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97;
  }
  return remainder === 1;
}

const SSN = /(?<![\w.-]|\d[ -])(\d{3})([- .]?)(\d{2})\2(\d{4})(?![\w-]|\.\d)/g;
const SSN_WORD = /\b(?:ssn|social[ _-]?security|soc[ _]sec|itin|tax ?id)\b[^\n]{0,16}$/i;
const NO_SSN_WORD = /\b(?:form|part|item|model|no|nr|serial|ticket|order|case|rev|sku)[.:#]?[ \t]{0,2}$/i;

export function socialSecurity(text: string, sink: Sink): void {
  for (const match of text.matchAll(SSN)) {
    const [whole, area = '', separator, group, serial] = match;
    if (area === '000' || area === '666' || area >= '900' || group === '00' || serial === '0000') continue;
    const context = before(text, match.index, 32);
    const isLikely = separator === '-' ? !NO_SSN_WORD.test(context) : false;
    if (isLikely || SSN_WORD.test(context)) sink.take('us_ssn', match.index, match.index + whole.length);
  }
}
