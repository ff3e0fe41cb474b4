/** A value in a line of text. */
export interface PlantedValue {
  plain: string;
  text: string;
}

/** Numbers that are the same in each run. */
function numbers(seed: string): (below: number) => number {
  let state = [...seed].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) >>> 0, 7);
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const CONSONANTS = 'bcdfghjkmpqvwxz';
const LETTERS = `${CONSONANTS}${CONSONANTS.toUpperCase()}23456789`;

function makers(next: (below: number) => number): Record<string, () => { plain: string; context?: string }> {
  const letters = (from: string, length: number) => Array.from({ length }, () => from[next(from.length)]).join('');
  const name = () => letters(CONSONANTS, 5 + next(5));
  const part = () => 2 + next(248);
  const hex = () => part().toString(16).padStart(2, '0');
  return {
    ipv4: () => ({ plain: `10.${part()}.${part()}.${part()}` }),
    ipv6: () => ({ plain: `2001:db8::${part().toString(16)}:${part().toString(16)}:${part().toString(16)}` }),
    mac: () => ({ plain: Array.from({ length: 6 }, hex).join(':') }),
    email: () => ({ plain: `${name()}.${name()}@${name()}.example` }),
    host: () => ({ plain: `${name()}${next(90)}.${name()}.example` }),
    win_user: () => ({ plain: `${name().toUpperCase()}\\${name()}` }),
    sid: () => ({ plain: `S-1-5-21-${1e9 + next(1e9)}-${1e9 + next(1e9)}-${1e9 + next(1e9)}-${1000 + next(9000)}` }),
    user: () => ({ plain: `${name()}.${name()}`, context: 'user=' }),
    key: () => ({ plain: `ghp_${letters(LETTERS, 36)}` }),
    password: () => ({ plain: `${letters(LETTERS, 14)}!7`, context: 'password=' }),
  };
}

const AROUND: readonly ((value: string, context: string) => string)[] = [
  (value, context) => `Look at ${context}${value} now`,
  (value, context) => JSON.stringify({ text: `${context}${value}`, n: 1 }),
  (value, context) => JSON.stringify({ output: JSON.stringify({ text: `x ${context}${value} y` }) }),
  (value, context) => `| a | ${context}${value} | b |`,
  (value, context) => `\`${context}${value}\``,
  (value, context) => `<Data Name='x'>${context}${value}</Data>`,
  (value, context) => `📞 größer ${context}${value} 端`,
  (value, context) => `GET /a?q=${encodeURIComponent(`${context}${value}`)}&b=1 HTTP/1.1`,
];

/** Values of all kinds, each in other surroundings. @param seed two of them have other values */
export function plantedValues(seed: string, count: number): PlantedValue[] {
  const next = numbers(seed);
  const kinds = Object.values(makers(next));
  return Array.from({ length: count }, (_, index) => {
    const { plain, context = '' } = (kinds[index % kinds.length] as (typeof kinds)[number])();
    const around = AROUND[Math.floor(index / kinds.length) % AROUND.length] as (typeof AROUND)[number];
    return { plain, text: around(plain, context) };
  });
}

const inner = (text: string): string => JSON.stringify(text).slice(1, -1);

/** The values that stand in a text in a spelling that somebody could read. */
export function heldIn(texts: readonly string[], values: readonly PlantedValue[]): PlantedValue[] {
  const all = texts.join('\n').toLowerCase();
  return values.filter(({ plain }) =>
    [plain, inner(plain), inner(inner(plain)), inner(inner(inner(plain))), encodeURIComponent(plain)].some((form) =>
      all.includes(form.toLowerCase()),
    ),
  );
}
