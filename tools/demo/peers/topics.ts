/** Knowledge of the scripted model about a subject. */
interface Topic {
  pattern: RegExp;
  area: string;
  cause: string;
  advice: string;
}

const TOPICS: readonly Topic[] = [
  {
    pattern: /\bdisks?\b|no space|inode/i,
    area: 'storage',
    cause: 'a disk is full',
    advice: 'Empty the spool directory first, then find what fills the disk: du -xh /var | sort -h | tail.',
  },
  {
    pattern: /time[sd]? ?out|\bdns\b|connection|unreachable|\bslow\b/i,
    area: 'network',
    cause: 'a service does not answer in time',
    advice: 'Check whether the service runs and how long it takes to answer, then restart it if it hangs.',
  },
  {
    pattern: /log ?in|password|token|certificate|denied|refused/i,
    area: 'access',
    cause: 'credentials were refused',
    advice: 'Check when the credentials expire, and whether the account is locked.',
  },
  {
    pattern: /memory|\bheap\b|\boom\b/i,
    area: 'memory',
    cause: 'a process needs more memory than it may have',
    advice: 'Look at its memory over the last day: a steady rise is a leak, a jump is a large request.',
  },
];

const UNKNOWN: Topic = {
  pattern: /(?:)/,
  area: 'other',
  cause: 'not known',
  advice:
    'This is a scripted model: it knows disks, slow services, logins, memory and saved searches, and calls the tools of the demo.',
};
const SEVERE = /\bfull\b|\bdown\b|time[sd]? ?out|out of|fail|no space|9\d ?%/i;

const topicOf = (text: string): Topic => TOPICS.find(({ pattern }) => pattern.test(text)) ?? UNKNOWN;

/** An answer in prose. */
export function adviceOn(text: string): string {
  if (/saved search/i.test(text)) {
    return 'A saved search is a search with a name. It can run on a schedule, feed dashboards, and send alerts when its results meet a condition.';
  }
  if (/\b(hello|hi)\b/i.test(text))
    return 'Hello! I am the scripted model of the demo. Ask me about a full disk or a slow service.';
  const { area, cause, advice } = topicOf(text);
  return area === UNKNOWN.area ? advice : `It looks like ${cause}. ${advice}`;
}

interface Schema {
  type?: string | string[];
  enum?: unknown[];
  properties?: Record<string, Schema>;
  items?: Schema;
}

/** A value that fits the JSON schema and says what the text is about. @param name of the property that it is for */
export function valueFor(schema: Schema, text: string, name = ''): unknown {
  const { area, cause } = topicOf(text);
  const isSevere = SEVERE.test(text);
  if (schema.enum) {
    const choices = schema.enum.map(String);
    const grade = choices.find((choice) => (isSevere ? /high|critical|severe/i : /low|info/i).test(choice));
    const named = choices.find((choice) => choice === area || text.toLowerCase().includes(choice.toLowerCase()));
    return grade ?? named ?? choices.find((choice) => /other/i.test(choice)) ?? choices[0];
  }
  if (schema.properties) {
    return Object.fromEntries(Object.entries(schema.properties).map(([key, part]) => [key, valueFor(part, text, key)]));
  }
  const [type] = [schema.type ?? 'string'].flat();
  if (type === 'array') return [valueFor(schema.items ?? {}, text, name)];
  if (type === 'boolean') return isSevere;
  if (type === 'number' || type === 'integer') return Number(/\d+/.exec(text)?.[0] ?? 1);
  if (/host/i.test(name)) return /\b[a-z]+-\d+\b/.exec(text)?.[0] ?? '';
  return /area|kind|category/i.test(name) ? area : cause;
}
