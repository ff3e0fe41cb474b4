import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { maskingTools } from '../../src/adapters/masking/tools.ts';
import { type MaskingMode, POLICY_KINDS } from '../../src/contract/families/masking.ts';
import { type MaskedTexts, type MaskingParts, maskTexts } from '../../src/masking/masking.ts';
import type { MaskingPolicy } from '../../src/masking/policy/policy.ts';

export interface LabelledSpan {
  start: number;
  end: number;
  kind: string;
  text: string;
  value?: string;
  by: string;
  optional?: boolean;
}

export interface LabelledText {
  id: string;
  text: string;
  fields?: Record<string, string | string[]>;
  spans: LabelledSpan[];
  look_alikes: { start: number; end: number; text: string; why: string; soft?: boolean }[];
}

const FILE = join(import.meta.dirname, '../fixtures/masking/cases.json');
const fixture: {
  policy: {
    regions: string[];
    named_fields: string[];
    never_mask: string[];
    own_patterns: { name: string; pattern: string }[];
  };
  cases: LabelledText[];
} = JSON.parse(readFileSync(FILE, 'utf8'));

export const cases = fixture.cases;

export const { compile: matcherOf, judgePhone } = maskingTools();

/** Masks every kind. */
export const everything = (mode: MaskingMode = 'mask'): Record<string, MaskingMode> =>
  Object.fromEntries(POLICY_KINDS.map((kind) => [kind, mode]));

export const fixturePolicy: MaskingPolicy = {
  kinds: everything(),
  fields: fixture.policy.named_fields,
  never: fixture.policy.never_mask,
  regions: fixture.policy.regions,
  patterns: fixture.policy.own_patterns.map(({ name, pattern }) => ({ label: name, matcher: matcherOf(pattern) })),
};

export const KEY = Buffer.from('a key of the tests, 32 bytes long');

export const mask = (
  texts: readonly string[],
  policy: MaskingPolicy = { kinds: everything() },
  rows: readonly Record<string, unknown>[] = [],
): MaskedTexts => maskTexts(texts, partsOf([policy]), rows);

/** All that masking needs, with time that stands still. */
export const partsOf = (policies: readonly MaskingPolicy[]): MaskingParts => ({
  policies,
  key: KEY,
  clock: () => 0,
  judgePhone,
});
