/** Numbers of months by their names in English, German and French. */
export const MONTHS: ReadonlyMap<string, number> = new Map(
  [
    'january jan januar jänner janvier janv',
    'february feb februar février févr fevrier',
    'march mar märz mär mrz mars',
    'april apr avril avr',
    'may mai',
    'june jun juni juin',
    'july jul juli juillet juil',
    'august aug août aout',
    'september sep sept septembre',
    'october oct oktober okt octobre',
    'november nov novembre',
    'december dec dezember dez décembre déc decembre',
  ].flatMap((names, month) => names.split(' ').map((name) => [name, month + 1] as const)),
);
export const LONGEST_MONTH = 9;

/** Minutes east of Greenwich. Abbreviations that several zones share are left out. */
export const ZONES: ReadonlyMap<string, number> = new Map(
  Object.entries({
    ...{
      z: 0,
      utc: 0,
      gmt: 0,
      cet: 60,
      mez: 60,
      cest: 120,
      mesz: 120,
      eet: 120,
      eest: 180,
      bst: 60,
      msk: 180,
      jst: 540,
    },
    ...{ est: -300, edt: -240, cdt: -300, mst: -420, mdt: -360, pst: -480, pdt: -420, aest: 600, aedt: 660 },
  }),
);

/** Words between a date and its time of day. */
export const BEFORE_CLOCK: ReadonlySet<string> = new Set(['t', 'at', 'um', 'à', 'gegen', 'around', 'about', 'vers']);
/** Words between a time of day and its date. */
export const BEFORE_DATE: ReadonlySet<string> = new Set(['on', 'am', 'le', 'vom', 'of', 'du']);
/** Words that call a time local. */
export const LOCAL: ReadonlySet<string> = new Set(['local', 'ortszeit', 'lokal', 'locale', 'lokalzeit']);
export const RELATIVE: ReadonlySet<string> = new Set([
  'later',
  'earlier',
  'ago',
  'später',
  'früher',
  'zuvor',
  'danach',
]);
