import { createSecretKey } from 'node:crypto';
import type { Problem } from '../../contract/codes/faults.ts';
import { isReservedLabel, PLACEHOLDER_LABELS, POLICY_KINDS, REGIONS } from '../../contract/families/masking.ts';
import { codeOf } from '../../masking/placeholders/codes.ts';
import { parseAddress } from '../../masking/text/addresses.ts';
import type { MaskingTools } from '../../masking/tools.ts';
import type { PolicyRules } from './definition.ts';

type Compile = MaskingTools['compile'];

/** Problems of a policy's rules that its schema cannot express. @param load the compiler of patterns, for a policy that has some */
export async function ruleProblems(rules: PolicyRules, load: () => Promise<Compile>): Promise<Problem[]> {
  // Rules also run on bodies that fail their schema.
  const [patterns, never, regions] = [rules.patterns, rules.never, rules.regions].map(listOf) as [
    PolicyRules['patterns'],
    PolicyRules['never'],
    PolicyRules['regions'],
  ];
  const labels = patterns.map(({ label }) => label);
  const compile = patterns.length > 0 ? await load() : undefined;
  return [
    ...Object.keys(rules.kinds ?? {})
      .filter((kind) => !isNamed(kind, labels))
      .map((kind) => ({ field: `kinds.${kind}`, message: 'is neither a kind of values nor the label of a pattern' })),
    ...patterns.flatMap(({ label, pattern }, index): Problem[] => [
      ...problem(`patterns.${index}.label`, isReservedLabel(label) ? 'is reserved' : undefined),
      ...problem(`patterns.${index}.pattern`, compile && patternProblem(String(pattern), labels, compile)),
    ]),
    ...never.flatMap((entry, index) => problem(`never.${index}`, neverProblem(String(entry)))),
    ...regions.flatMap((region, index) =>
      problem(`regions.${index}`, REGIONS.includes(region) ? undefined : 'is no code of a country (ISO 3166-1)'),
    ),
  ];
}

const listOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value.filter((entry) => entry !== null && entry !== undefined) : [];

const isNamed = (kind: string, labels: readonly string[]): boolean =>
  POLICY_KINDS.some((name) => name === kind) || labels.includes(kind);

const problem = (field: string, message: string | undefined): Problem[] =>
  message === undefined ? [] : [{ field, message }];

const SAMPLES = 8;
const SAMPLE_KEY = createSecretKey(Buffer.alloc(32));
const CODES = Array.from({ length: SAMPLES }, (_, index) => codeOf(SAMPLE_KEY, 'sample', String(index)));

function patternProblem(pattern: string, labels: readonly string[], compile: Compile): string | undefined {
  try {
    compile(pattern);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  const matches = (expression: string, text: string) => !isEmpty(compile(expression)(text));
  // A matcher need not report a match without length, so the end of an empty line gets one with what follows.
  if (matches(pattern, '') || matches(`(?m:^(?:${pattern})$)\\n-`, '\n-')) return 'must not match empty text';
  const placeholders = [...PLACEHOLDER_LABELS, ...labels].flatMap((label) => CODES.map((code) => `${label}-${code}`));
  const whole = compile(`^(?:${pattern})$`);
  return placeholders.some((word) => !isEmpty(whole(word))) ? 'must not match a placeholder' : undefined;
}

const isEmpty = (places: Iterable<unknown>): boolean => [...places].length === 0;

/** An entry of digits and colons with a length of bits is meant as a network. */
const NETWORK = /^[\da-f.:]+\/\d+$/i;
const SUFFIX = /^\*(?:\.[^\s.*]+)+$/;

function neverProblem(entry: string): string | undefined {
  if (entry.includes('*') && !SUFFIX.test(entry)) return 'may have * only as *.suffix';
  return NETWORK.test(entry) && parseAddress(entry) === undefined ? 'is no network (CIDR)' : undefined;
}
