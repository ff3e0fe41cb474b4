import { readFileSync } from 'node:fs';
import type { Reply } from '../support/platform.ts';

/** What a real splunkd answered to a call. */
export interface Recorded {
  request: string;
  status?: number;
  headers?: Record<string, string>;
  content_type?: string;
  body?: unknown;
  text?: string;
  /** Members of the body, or headers, that are not there. */
  absent?: string[];
}

/** Facts recorded or shipped by others; each file names its public source. */
export function recordedFacts<T>(file: string): T {
  return JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8')) as T;
}

/** JSON types of a value, with the texts of messages. */
function shapeOf(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map((item) => shapeOf(item));
  if (typeof value === 'string' && key === 'text')
    return value.replaceAll(/nosuch|<name>/g, '<name>').replaceAll(/"(?:POST|DELETE)"/g, '"POST"');
  if (typeof value === 'string' && key === 'type' && /^[A-Z]+$/.test(value)) return value;
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, shapeOf(member, name)]),
  );
}

/** Whether a body has the keys, types and message texts of the recorded one, whose text `...` stands for any. */
function hasShape(sent: unknown, recorded: unknown): boolean {
  const [own, theirs] = [sent, recorded].map((body) => JSON.stringify(shapeOf(body)));
  const anyText = /"text":"[^"]*"/g;
  return theirs?.includes('"text":"..."')
    ? own?.replaceAll(anyText, '') === theirs.replaceAll(anyText, '')
    : own === theirs;
}

/** How an answer differs from the recorded one; empty if it does not. */
export function differences(recorded: Recorded, reply: Reply): string[] {
  const parsed = reply.json ?? {};
  const isJson = String(reply.headers['content-type']).includes('json');
  return [
    ...(recorded.status !== undefined && recorded.status !== reply.status ? [`status ${reply.status}`] : []),
    ...Object.entries(recorded.headers ?? {}).flatMap(([name, value]) => {
      const sent = reply.headers[name.toLowerCase()];
      return /[<.]{1,3}/.test(value)
        ? sent === undefined
          ? [`no ${name}`]
          : []
        : sent === value
          ? []
          : [`${name}: ${sent}`];
    }),
    ...(recorded.absent ?? []).filter((name) => name in parsed || reply.headers[name.toLowerCase()] !== undefined),
    ...(recorded.body !== undefined && (!isJson || !hasShape(parsed, recorded.body))
      ? [JSON.stringify(shapeOf(parsed))]
      : []),
  ];
}
