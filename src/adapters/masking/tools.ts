import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { RE2JS } from 're2js';
import type { MaskingTools } from '../../masking/tools.ts';

/** Loaded when the first policy applies. */
export const maskingTools = (): MaskingTools => ({
  compile(pattern) {
    const compiled = RE2JS.compile(pattern);
    return function* (text) {
      const matcher = compiled.matcher(text);
      while (matcher.find()) yield { start: matcher.start(), end: matcher.end() };
    };
  },
  judgePhone(candidate, region) {
    if (region !== undefined && !isSupportedCountry(region)) return undefined;
    const number = parsePhoneNumberFromString(candidate, { ...(region && { defaultCountry: region }), extract: false });
    return number?.isPossible() && number.isValid() ? number.number : undefined;
  },
  clock: () => {
    // Node has it from 22.19 on; before, other threads count as well.
    const { user, system } = process.threadCpuUsage?.() ?? process.cpuUsage();
    return (user + system) / 1000;
  },
});
