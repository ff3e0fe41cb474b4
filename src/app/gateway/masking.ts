import { MaskingPolicies } from '../../families/masking-policies/public.ts';
import type { MaskingState } from '../../gateway/context.ts';
import { maskingSecret } from './maskingSecret.ts';

export const createMasking = (): MaskingState => ({
  policies: new MaskingPolicies(),
  tools: async () => (await import('../../adapters/masking/tools.ts')).maskingTools(),
  secret: maskingSecret(),
});
