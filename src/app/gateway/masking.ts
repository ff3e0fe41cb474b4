import { MaskingPolicies } from '../../families/masking-policies/public.ts';
import type { MaskingState } from '../../gateway/context.ts';
import { maskingSecret } from './maskingSecret.ts';

const tools = async () => (await import('../../adapters/masking/tools.ts')).maskingTools();

export const createMasking = (): MaskingState => ({
  policies: new MaskingPolicies(tools),
  tools,
  secret: maskingSecret(),
});
