export interface Unit {
  /** Units of one dimension can be compared. */
  dimension: 'count' | 'percent' | 'bytes' | 'bits' | 'time';
  factor: number;
}

const DECIMAL = { k: 1e3, m: 1e6, g: 1e9, t: 1e12, p: 1e15 };
const BINARY = { k: 2 ** 10, m: 2 ** 20, g: 2 ** 30, t: 2 ** 40, p: 2 ** 50 };

function table(): Map<string, Unit> {
  const units = new Map<string, Unit>();
  const add = (dimension: Unit['dimension'], factor: number, names: string) => {
    for (const name of names.split(' ')) units.set(name, { dimension, factor });
  };
  add('bytes', 1, 'byte bytes octets');
  add('bits', 1, 'bit bits bps bit/s');
  for (const [letter, factor] of Object.entries(DECIMAL)) {
    add('bytes', factor, `${letter}b ${letter}byte ${letter}bytes`);
    add('bits', factor, `${letter}bit ${letter}bits ${letter}bps ${letter}bit/s`);
  }
  for (const [letter, factor] of Object.entries(BINARY)) add('bytes', factor, `${letter}ib ${letter}ibyte`);
  add('bytes', 1e3, 'kilobyte kilobytes');
  add('bytes', 1e6, 'megabyte megabytes');
  add('bytes', 1e9, 'gigabyte gigabytes');
  add('bytes', 1e12, 'terabyte terabytes');
  add('time', 1e-3, 'ms msec millisecond milliseconds millisekunde millisekunden milliseconde millisecondes');
  add('time', 1, 's sec secs second seconds sekunde sekunden seconde secondes');
  add('time', 60, 'min mins minute minutes minuten');
  add('time', 3600, 'h hr hrs hour hours stunde stunden heure heures');
  add('time', 86_400, 'd day days tag tage tagen jour jours');
  add('time', 604_800, 'week weeks woche wochen semaine semaines');
  add('percent', 0.01, '% percent pct prozent');
  add('count', 1e3, 'k thousand tsd tausend mille');
  add('count', 1e6, 'million millions mio millionen');
  add('count', 1e9, 'billion billions bn mrd milliarde milliarden milliard milliards');
  return units;
}

const UNITS = table();
/** Only right behind the number: with a blank they would be words or headings. */
const ATTACHED: Readonly<Record<string, Unit>> = {
  M: { dimension: 'count', factor: 1e6 },
  m: { dimension: 'time', factor: 60 },
};
const LONGEST = 14;

/** The unit that a word is. @param isAttached whether it stands right behind the number */
export function unitOf(word: string, isAttached: boolean): Unit | undefined {
  if (word.length > LONGEST) return undefined;
  if (isAttached && ATTACHED[word]) return ATTACHED[word];
  const lower = word.toLowerCase();
  return lower === 'k' && !isAttached ? undefined : UNITS.get(lower);
}

/** The unit that the name of a column ends with, such as `duration_ms`, `bytes` or `sizeMB`. */
export function unitOfColumn(name: string): Unit | undefined {
  const parts = name
    .slice(-60)
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .split(/[^A-Za-z%]/)
    .filter((part) => part !== '');
  const last = parts.at(-1)?.toLowerCase();
  if (last === undefined) return undefined;
  // Statistics have columns of these names, and counts of days and the like are rare.
  if (parts.length === 1 && (last.length < 2 || last === 'min')) return undefined;
  if (last === 'm' || last === 'k') return undefined;
  return UNITS.get(last) ?? unitAmong(parts);
}

/** Units that stand before or in a function, such as `bytes_in` and `sum(bytes)`. */
const unitAmong = (parts: readonly string[]): Unit | undefined =>
  parts.map((part) => (part.length > 3 ? UNITS.get(part.toLowerCase()) : undefined)).find((unit) => unit !== undefined);
