import { MASKING_MODES, type MaskingMode } from '../../contract/families/masking.ts';
import { isSecret } from './kinds.ts';
import { NeverList } from './neverList.ts';

/** Finds the places of an administrator's pattern in a text. Must take time linear in the text. */
export type PatternMatcher = (text: string) => Iterable<{ start: number; end: number }>;

export interface OwnPattern {
  label: string;
  matcher: PatternMatcher;
  /** A word that must stand shortly before. */
  keyword?: string;
}

/** The part of a policy's record that decides about texts. */
export interface MaskingPolicy {
  kinds: Readonly<Record<string, MaskingMode>>;
  fields?: readonly string[];
  patterns?: readonly OwnPattern[];
  /** Names, `*.suffix` and networks that stay. */
  never?: readonly string[];
  regions?: readonly string[];
}

/** Several policies as one: the strictest for each kind. */
export interface MergedPolicy {
  mode(kind: string): MaskingMode;
  fields: readonly string[];
  patterns: readonly OwnPattern[];
  regions: readonly string[];
  /**
   * Whether every policy that would mask a value exempts it. Secrets are never exempt.
   * @param field the named field that holds it
   */
  isExempt(value: { kind: string; plain: string; field?: string | undefined }): boolean;
}

export function mergedPolicy(policies: readonly MaskingPolicy[]): MergedPolicy {
  const parts = policies.map((policy) => ({ policy, never: new NeverList(policy.never ?? []) }));
  return {
    mode: (kind) => strictest(policies.map((policy) => modeOf(policy, kind))),
    fields: [...new Set(policies.flatMap(({ fields = [] }) => fields))],
    patterns: policies.flatMap(({ patterns = [] }) => patterns),
    regions: [...new Set(policies.flatMap(({ regions = [] }) => regions))],
    isExempt({ kind, plain, field }) {
      if (isSecret(kind)) return false;
      const masking = parts.filter(
        ({ policy }) =>
          modeOf(policy, kind) !== 'allow' || (field !== undefined && (policy.fields ?? []).includes(field)),
      );
      return masking.length > 0 && masking.every(({ never }) => never.holds(kind, plain));
    },
  };
}

function modeOf({ kinds, patterns = [] }: MaskingPolicy, kind: string): MaskingMode {
  const mode = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
  return mode ?? (patterns.some(({ label }) => label === kind) ? 'mask' : 'allow');
}

const strictest = (modes: readonly MaskingMode[]): MaskingMode =>
  MASKING_MODES[Math.max(0, ...modes.map((mode) => MASKING_MODES.indexOf(mode)))] ?? 'refuse';
