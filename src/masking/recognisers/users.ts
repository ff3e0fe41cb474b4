import type { Sink } from '../spans/span.ts';
import { LETTERS, withoutEnd } from '../text/letters.ts';

const NO_USERS: ReadonlySet<string> = new Set(
  'root system localsystem nobody anonymous - n/a na null none unknown true false yes no the a an is was are and or not name user users by for from to in of with has had who admin_events password id public default all'
    .split(' ')
    .concat(['default user', 'all users', 'local service', 'network service', 'nt authority']),
);
const KEY =
  '(?<![A-Za-z0-9])(?:user|user[_ ]?name|user[_ ]?id|suser|duser|acct|account[_ ]?name|login|logon|samaccountname|targetusername|subjectusername|upn|uname)';
/** Behind a key: quoted, or a word. */
const KEYED = new RegExp(
  `${KEY}(?:["']?(?:=|:[ \\t]?|' ?>)|["'][ \\t]?:[ \\t]?)(?:"([^"\\\\\\n<>]{1,64})"|'([^'\\\\\\n<>]{1,64})'|([${LETTERS}0-9][${LETTERS}0-9._+~@-]{0,63}\\$?))`,
  'gi',
);
const WORD = '[^\\s"\'()<>\\[\\]{}|,;:=/\\\\&?!*$%@.+-][^\\s"\'()<>\\[\\]{}|,;:=/\\\\&?!*$%]{0,63}\\$?';

/** Words before a user; the first group is the name. */
const CONTEXTS: readonly { trigger: string; pattern: RegExp }[] = [
  { trigger: '<', pattern: /\bUser <([^<>\s]{1,64})>/dgi },
  { trigger: "'", pattern: /\b(?:user|for) '([^'\s\\]{1,64})'(?=@|\s|$)/dgi },
  { trigger: 'sudo', pattern: /\bsudo(?:\[\d{1,10}\])?:[ \t]{1,8}([^\s:]{1,64})[ \t]{1,4}:/dg },
  { trigger: ' from ', pattern: new RegExp(`\\bfor (?:invalid user |user )?(${WORD}) from `, 'dgi') },
  { trigger: 'nvalid user', pattern: new RegExp(`\\binvalid user (${WORD})`, 'dgi') },
  { trigger: 'for user', pattern: new RegExp(`\\bfor user (${WORD})(?![=:])`, 'dgi') },
  {
    trigger: ' by ',
    pattern:
      /\b(?:updated|created|deleted|approved|modified|changed|edited|added|removed|assigned|reviewed|rejected|requested|submitted|opened|closed|resolved|signed|disabled|enabled|granted|revoked|reset|locked|unlocked) by ([A-Za-z][A-Za-z]{0,40}[\d._-][\w.-]{0,40})/dgi,
  },
  { trigger: '/', pattern: new RegExp(`/(?:home|Users)/(${WORD})`, 'dg') },
  { trigger: 'personal/', pattern: new RegExp(`/personal/(${WORD})(?=/)`, 'dg') },
  { trigger: ':user/', pattern: /:user\/((?:[\w.@-]{1,64}\/){0,4}[\w+=.@-]{1,64})/dg },
  // Folders of people may hold blanks, where a backslash follows.
  { trigger: '\\', pattern: /\\users\$?\\((?! )[^\\/:*?"<>|\n]{1,40}(?=\\)|[^\\/:*?"<>|\s,;)]{1,64})/dgi },
  { trigger: ' [', pattern: /^[^\s[\]]{1,64} [^\s[\]]{1,64} ([^\s[\]"]{1,64}) \[\d{1,2}\/[A-Z]/dgm },
];

export function users(text: string, sink: Sink): void {
  for (const match of text.matchAll(KEYED)) {
    const name = match[1] ?? match[2] ?? match[3] ?? '';
    const end = match.index + match[0].length - (match[3] === undefined ? 1 : 0);
    takeUser(text, sink, end - name.length, end);
  }
  for (const { trigger, pattern } of CONTEXTS) {
    if (!text.includes(trigger)) continue;
    for (const match of text.matchAll(pattern)) {
      const [start, end] = match.indices?.[1] ?? [0, 0];
      takeUser(text, sink, start, end);
    }
  }
}

/** Leaves accounts that every machine has, and words before `=`, `:` or `(`. */
function takeUser(text: string, sink: Sink, from: number, to: number): void {
  const name = withoutEnd(text.slice(from, to), '.@+~-');
  const end = from + name.length;
  const lower = name.toLowerCase();
  if (NO_USERS.has(lower) || lower.startsWith('system:') || /^[*%$?{]/.test(name) || name.trim() === '') return;
  const next = text.slice(end, end + 6);
  const isNoUser = /^[=:]|^\((?!uid=)/.test(next) || next.startsWith('\\');
  if (isNoUser && !isQuoted(text, from)) return;
  if (name.includes('\\') || /^\d+$/.test(name)) return;
  sink.take(name.endsWith('$') ? 'host' : 'user', from, end);
}

const isQuoted = (text: string, start: number): boolean => '"\'\\/'.includes(text.charAt(start - 1) || ' ');
