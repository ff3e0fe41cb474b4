import type { MaskingPolicy } from '../../masking/masking.ts';
import type { MaskingTools } from '../../masking/tools.ts';
import type { PolicyRules } from './definition.ts';

/**
 * A policy's rules as the masker takes them.
 * @throws Error for a pattern that is none
 */
export const compiledRules = (
  { kinds, fields, patterns, never, regions }: PolicyRules,
  { compile }: Pick<MaskingTools, 'compile'>,
): MaskingPolicy => ({
  ...{ kinds, fields, never, regions },
  patterns: patterns.map(({ label, pattern, keyword }) => ({
    ...{ label, matcher: compile(pattern) },
    ...(keyword === undefined ? {} : { keyword }),
  })),
});
