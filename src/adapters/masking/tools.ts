import type { MaskingTools } from '../../masking/tools.ts';

export function maskingTools(): MaskingTools {
  return {
    compile() {
      throw new Error('patterns are not supported yet');
    },
    judgePhone: () => undefined,
    clock: () => process.cpuUsage().user / 1000,
  };
}
