import { Fault } from '../../contract/codes/faults.ts';
import { MaskingFailure, maskTexts } from '../../masking/masking.ts';
import type { MaskingTools } from '../../masking/tools.ts';
import { compiledRules } from './compiled.ts';
import type { PolicyRules } from './definition.ts';

interface Preview {
  masked: string;
  spans: { start: number; end: number; kind: string }[];
  counts: Record<string, number>;
}

/**
 * Masks a text by one policy, whatever it applies to; what it refuses is masked.
 * @param key of this preview alone: it cannot be linked with another, nor with a request
 * @throws Fault `masking_failed`
 */
export function previewOf(text: string, rules: PolicyRules, tools: MaskingTools, key: Uint8Array): Preview {
  const kinds = Object.fromEntries(
    Object.entries(rules.kinds).map(([kind, mode]) => [kind, mode === 'refuse' ? 'mask' : mode] as const),
  );
  const { clock, judgePhone } = tools;
  try {
    const parts = {
      policies: [compiledRules({ ...rules, kinds }, tools)],
      key,
      clock,
      judgePhone,
    };
    const { texts, places, counts } = maskTexts([text], parts);
    return { masked: texts[0] ?? '', spans: places[0] ?? [], counts };
  } catch (error) {
    const isLate = error instanceof MaskingFailure && error.reason === 'time';
    throw new Fault('masking_failed', isLate ? 'Masking the text took too long' : 'The text could not be masked');
  }
}
