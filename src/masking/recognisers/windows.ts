import { before, type Sink } from '../spans/span.ts';
import { LETTERS, withoutEnd } from '../text/letters.ts';

const DOMAIN = /(?<![\w\\.:$%/-])[A-Za-z0-9][\w.-]{0,14}$/;
const NAME = new RegExp(`^[${LETTERS}0-9._-]{2,64}\\$?`);
const NO_DOMAIN =
  /^(?:HK(?:LM|CU|U|CR|CC|EY_\w+)|BUILTIN|AUTHORITY|SERVICE|Manager|Host|APPPOOL|Users|Windows|System32|Temp|REGISTRY|Device|Software)$/i;
/** Words before the domain that make the whole the name of a built-in account. */
const BUILT_IN = /(?:NT|Window|Font Driver|IIS|NT VIRTUAL) $/i;
const LONGEST_NAME = 66;

/** `DOMAIN\name`: starts at each backslash. */
export function windowsUsers(text: string, sink: Sink): void {
  for (let index = text.indexOf('\\'); index >= 0; index = text.indexOf('\\', index + 1)) {
    const domain = DOMAIN.exec(before(text, index, 20))?.[0];
    if (domain === undefined || NO_DOMAIN.test(domain)) continue;
    const name = withoutEnd(NAME.exec(text.slice(index + 1, index + 1 + LONGEST_NAME))?.[0] ?? '', '.-');
    if (name.length < 2) continue;
    const start = index - domain.length;
    const end = index + 1 + name.length;
    if (text.charAt(end) === '\\' || BUILT_IN.test(before(text, start))) continue;
    sink.take('win_user', start, end);
  }
}

const SHARE = /(?<![\w\\])\\\\([A-Za-z0-9][\w.-]{0,62})\\/g;

/** The machine of `\\NAME\share`. */
export function sharedHosts(text: string, sink: Sink): void {
  if (!text.includes('\\\\')) return;
  for (const match of text.matchAll(SHARE)) {
    const name = match[1] ?? '';
    if (!/^[\d.]+$/.test(name)) sink.take('host', match.index + 2, match.index + 2 + name.length);
  }
}

const ACCOUNT = /(?<![\w$\\.{(-])[A-Za-z][\w-]{2,62}\$(?![\w$\\/{(\]])/g;
const SHARES = /^(?:admin|ipc|print|users|[a-z])\$$/i;

/** Names that end in `$` are accounts of machines. */
export function machineAccounts(text: string, sink: Sink): void {
  for (const match of text.matchAll(ACCOUNT)) {
    if (!SHARES.test(match[0])) sink.take('host', match.index, match.index + match[0].length);
  }
}

const SID = /(?<![\w-])S-1-5-21-\d{1,10}-\d{1,10}-\d{1,10}(?:-(\d{1,10}))?(?![\w-])/gi;

export function sids(text: string, sink: Sink): void {
  for (const match of text.matchAll(SID)) {
    const id = Number(match[1] ?? 0);
    if (id < 500 || id > 599) sink.take('sid', match.index, match.index + match[0].length);
  }
}
