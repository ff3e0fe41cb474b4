import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { judgeSearch, type SearchPolicy, type SearchView, type Verdict } from '../../src/spl/guard.ts';
import type { TemplateArgument } from '../../src/spl/template.ts';

interface TrickyFile {
  policy: {
    macros: Record<string, { definition: string; args?: string[]; iseval?: boolean }>;
    lookups: Record<string, 'file' | 'kvstore' | 'geo' | 'external'>;
  };
  searches: {
    id: number;
    spl: string;
    verdict: 'allow' | 'refuse';
    reason?: string;
    canonical?: string;
    why: string;
  }[];
  templates: {
    template: string;
    args: Record<string, Pick<TemplateArgument, 'type' | 'minimum' | 'maximum'>>;
    values?: Record<string, unknown>;
    verdict: 'allow' | 'refuse' | 'refuse_template';
    result?: string;
    why?: string;
  }[];
}

const FIXTURES = join(import.meta.dirname, '../fixtures/spl');
export const tricky = JSON.parse(readFileSync(join(FIXTURES, 'tricky.json'), 'utf8')) as TrickyFile;

/** The macros and lookups that the tricky searches assume. */
export const view: SearchView = {
  macro(name, args) {
    const key = args > 0 ? `${name}(${args})` : name;
    const macro = Object.hasOwn(tricky.policy.macros, key) ? tricky.policy.macros[key] : undefined;
    if (!macro) return null;
    return { definition: macro.definition, args: macro.args ?? [], isEval: macro.iseval ?? false };
  },
  lookup: (name) => (Object.hasOwn(tricky.policy.lookups, name) ? (tricky.policy.lookups[name] ?? null) : null),
};

export const policy: SearchPolicy = { allowCommands: [], denyCommands: [], maxSpanDays: 30, requireIndex: true };
export const NOW = new Date('2026-11-28T12:00:00Z');
export const DAY = { earliest: '-24h', latest: 'now' };

/** Judges a search as of a fixed moment, with other macros, settings or times where they are given. */
export const judge = (
  text: string,
  given: {
    policy?: Partial<SearchPolicy>;
    view?: Partial<SearchView>;
    range?: { earliest: string; latest: string };
  } = {},
): Verdict => judgeSearch(text, given.range ?? DAY, { ...view, ...given.view }, { ...policy, ...given.policy }, NOW);

/** A short form of a verdict for comparisons: `allowed`, or the reason with the command at fault. */
export function brief(verdict: Verdict): string {
  if (verdict.allowed) return 'allowed';
  return verdict.command === null ? verdict.reason : `${verdict.reason} ${verdict.command}`;
}
