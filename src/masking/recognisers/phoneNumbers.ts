/**
 * Judges one candidate.
 * @param region country of a number without `+`
 * @returns the number in E.164; undefined where it is none
 */
export type PhoneJudge = (candidate: string, region?: string) => string | undefined;

interface NumberPlan {
  code: string;
  /** Digit before national numbers. */
  trunk: string;
  /** National numbers without it. */
  form: RegExp;
}

const PLANS: Readonly<Record<string, NumberPlan>> = {
  US: { code: '1', trunk: '1', form: /^[2-9]\d{2}[2-9]\d{6}$/ },
  CA: { code: '1', trunk: '1', form: /^[2-9]\d{2}[2-9]\d{6}$/ },
  DE: { code: '49', trunk: '0', form: /^[1-9]\d{5,12}$/ },
  AT: { code: '43', trunk: '0', form: /^[1-9]\d{5,11}$/ },
  CH: { code: '41', trunk: '0', form: /^[1-9]\d{8}$/ },
  FR: { code: '33', trunk: '0', form: /^[1-9]\d{8}$/ },
  GB: { code: '44', trunk: '0', form: /^[1-9]\d{8,9}$/ },
  NL: { code: '31', trunk: '0', form: /^[1-9]\d{8}$/ },
  BE: { code: '32', trunk: '0', form: /^[1-9]\d{7,8}$/ },
  ES: { code: '34', trunk: '', form: /^[6-9]\d{8}$/ },
  IT: { code: '39', trunk: '', form: /^[03]\d{5,10}$/ },
  PL: { code: '48', trunk: '', form: /^[1-9]\d{8}$/ },
  SE: { code: '46', trunk: '0', form: /^[1-9]\d{6,9}$/ },
  AU: { code: '61', trunk: '0', form: /^[2-478]\d{8}$/ },
  JP: { code: '81', trunk: '0', form: /^[1-9]\d{8,9}$/ },
  IN: { code: '91', trunk: '0', form: /^[1-9]\d{9}$/ },
};

/** Codes of countries by their first digits. */
const CODES =
  /^(?:1|7|2(?:0|7|[1-689]\d)|3(?:[0-469]|[578]\d)|4(?:[013-9]|2\d)|5(?:[1-8]|[09]\d)|6(?:[0-6]|[789]\d)|8(?:[1246]|[0578]\d)|9(?:[0-58]|[679]\d))/;
const LEAST_NATIONAL = 5;
const LONGEST = 15;

/** Judges by the plans of some countries, and by lengths alone for the others. */
export const judgePhone: PhoneJudge = (candidate, region) => {
  const digits = candidate.replace(/\(0\)/, '').replace(/\D/g, '');
  if (region !== undefined) return national(digits, region);
  const code = CODES.exec(digits)?.[0];
  if (code === undefined || digits.length > LONGEST) return undefined;
  const plans = Object.values(PLANS).filter((plan) => plan.code === code);
  const number = digits.slice(code.length);
  const isValid = plans.length > 0 ? plans.some(({ form }) => form.test(number)) : number.length >= LEAST_NATIONAL;
  return isValid ? `+${digits}` : undefined;
};

function national(digits: string, region: string): string | undefined {
  const plan = Object.hasOwn(PLANS, region) ? PLANS[region] : undefined;
  if (!plan) return undefined;
  const isTrunk = plan.trunk !== '' && digits.startsWith(plan.trunk);
  if (plan.trunk === '0' && !isTrunk) return undefined;
  const number = isTrunk ? digits.slice(plan.trunk.length) : digits;
  return plan.form.test(number) ? `+${plan.code}${number}` : undefined;
}
