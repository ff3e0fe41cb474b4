import { createHash } from 'node:crypto';
import { Ajv, type Options, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { MAX_JSON_LEVELS } from '../../contract/basics.ts';
import type { Problem } from '../../contract/codes/faults.ts';
import { problemsOf } from '../../contract/codes/problems.ts';
import { parseExact, stringifyExact } from '../../contract/exactJson.ts';
import { nestsDeeperThan } from '../../domain/values/json.ts';
import type { CheckAnswer, CheckOrder } from './messages.ts';
import { compareDecimals } from './multipleOf.ts';
import { SizedMap } from './sizedMap.ts';

/**
 * The heap of a thread is not limited safely: a thread that allocates too fast ends the process. So nothing here may take much
 * memory: definitions are not copied to where they are used, and errors are counted.
 */
const OPTIONS: Options = {
  strict: false,
  allErrors: true,
  validateFormats: false,
  logger: false,
  ownProperties: true,
  inlineRefs: false,
  code: { process: countErrors },
};
/** A value with more is not checked: alternatives within alternatives can have any number. */
const MAX_ERRORS = 1000;
/** Each error has its path. */
const MAX_PATH_CHARS = 10_000;
/** Size of the texts of kept schemas; their compiled forms take up to twenty times as much. */
const KEPT_BYTES = { server: 1536 * 1024, caller: 512 * 1024 };
const MAX_PROBLEMS = 100;
/** A schema that refers to the schema of schemas. */
const REFERS_TO_META = /"\$ref"\s*:\s*"https?:\/\/json-schema\.org\//;

type Schema = Record<string, unknown>;

/** Compiles and checks one schema at a time, however long it takes. */
export function createChecker(): (order: CheckOrder) => CheckAnswer {
  const compiled = {
    server: new SizedMap<ValidateFunction>(KEPT_BYTES.server),
    caller: new SizedMap<ValidateFunction>(KEPT_BYTES.caller),
  };
  const metas = { draft7: lazyMeta(Ajv), draft2020: lazyMeta(Ajv2020) };

  function compile({ schema: text, owner }: CheckOrder): ValidateFunction {
    const key = createHash('sha256').update(text).digest('base64');
    const kept = compiled[owner].get(key);
    if (kept) return kept;
    const schema = JSON.parse(text) as Schema;
    const isDraft7 = typeof schema.$schema === 'string' && schema.$schema.includes('draft-07');
    const [Compiler, meta] = isDraft7 ? [Ajv, metas.draft7] : [Ajv2020, metas.draft2020];
    meta().validateSchema(schema, true);
    // Its own compiler: ids inside of schemas of others must not be found. It takes long to make with the schema of schemas.
    const compiler = new Compiler({ ...OPTIONS, validateSchema: false, meta: REFERS_TO_META.test(text) });
    const validate = compareDecimals(compiler).compile(schema);
    compiled[owner].set(key, validate, text.length);
    return validate;
  }

  return (order) => {
    let validate: ValidateFunction;
    try {
      validate = compile(order);
    } catch {
      return { isUsable: false, isChecked: false, problems: [] };
    }
    const { value } = order;
    if (value === undefined) return { isUsable: true, isChecked: false, problems: [] };
    try {
      return { isUsable: true, isChecked: true, problems: problemsIn(validate, value) };
    } catch {
      return { isUsable: true, isChecked: false, problems: [] };
    }
  };
}

/** @throws RangeError for a value that takes too much to check */
function problemsIn(validate: ValidateFunction, json: string): Problem[] {
  const value: unknown = JSON.parse(json);
  if (nestsDeeperThan(value, MAX_JSON_LEVELS) || hasLongPath(value, MAX_PATH_CHARS)) throw new RangeError();
  if (validate(value)) return [];
  const reported = validate.errors ?? [];
  const errors = isRounded(json) ? reported.filter(({ keyword }) => !EXACT.has(keyword)) : reported;
  return problemsOf(errors as never, {}).slice(0, MAX_PROBLEMS);
}

/** Ends a check at its thousandth error. Both statements are those with which ajv counts. */
function countErrors(code: string): string {
  return code
    .replaceAll('errors++;', `if(++errors>${MAX_ERRORS})throw RangeError();`)
    .replaceAll('errors = vErrors.length;', `errors = vErrors.length;if(errors>${MAX_ERRORS})throw RangeError();`);
}

function hasLongPath(value: unknown, left: number): boolean {
  if (left < 0) return true;
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, inner]) => hasLongPath(inner, left - key.length));
}

/** Keywords that compare numbers in all digits, of which a number of JavaScript has not all. */
const EXACT = new Set(['uniqueItems', 'exclusiveMinimum', 'exclusiveMaximum', 'minimum', 'maximum', 'multipleOf']);

const isRounded = (json: string): boolean => stringifyExact(parseExact(json)) !== JSON.stringify(JSON.parse(json));

function lazyMeta(Compiler: typeof Ajv | typeof Ajv2020): () => Ajv {
  let meta: Ajv | undefined;
  return () => (meta ??= new Compiler(OPTIONS));
}
