import { MaskingPolicies } from '../../families/masking-policies/public.ts';
import type { MaskingState } from '../../gateway/context.ts';

export const createMasking = (): MaskingState => ({
  policies: new MaskingPolicies(),
  tools: async () => (await import('../../adapters/masking/tools.ts')).maskingTools(),
  secret: async () => new Uint8Array(32),
});
