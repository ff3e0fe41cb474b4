import type { Ajv, FuncKeywordDefinition } from 'ajv';

/** 1.13 is a multiple of 0.01, though their quotient as binary fractions is no integer. */
function isMultipleOf(value: number, factor: number): boolean {
  const quotient = value / factor;
  if (Number.isSafeInteger(quotient) && Number.isSafeInteger(value) && Number.isSafeInteger(factor)) return true;
  const [a, b] = [decimal(value), decimal(factor)];
  if (!a || !b || b.digits === 0n) return false;
  const exponent = Math.min(a.exponent, b.exponent);
  return scaled(a, exponent) % scaled(b, exponent) === 0n;
}

/** digits * 10^exponent */
interface Decimal {
  digits: bigint;
  exponent: number;
}

const NUMBER = /^(-?\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/;

/** By the shortest text, which is what was written. */
function decimal(value: number): Decimal | undefined {
  const parts = NUMBER.exec(String(value));
  if (!parts) return undefined;
  const [, integer = '', fraction = '', exponent = '0'] = parts;
  return { digits: BigInt(integer + fraction), exponent: Number(exponent) - fraction.length };
}

const scaled = ({ digits, exponent }: Decimal, to: number): bigint => digits * 10n ** BigInt(exponent - to);

/** Takes the place of ajv's keyword, which divides binary fractions. */
export function compareDecimals<T extends Ajv>(ajv: T): T {
  const keyword: FuncKeywordDefinition = {
    keyword: 'multipleOf',
    type: 'number',
    schemaType: 'number',
    validate: (factor: number, value: number) => isMultipleOf(value, factor),
    error: { message: ({ schemaCode }) => `must be a multiple of ${schemaCode}` },
  };
  ajv.removeKeyword('multipleOf');
  ajv.addKeyword(keyword);
  return ajv;
}
