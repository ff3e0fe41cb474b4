import { createHash } from 'node:crypto';
import { Ajv, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { problemsOf } from '../../contract/codes/problems.ts';
import { parseExact, stringifyExact } from '../../domain/values/exactJson.ts';
import type { CheckAnswer, CheckOrder } from './messages.ts';
import { compareDecimals } from './multipleOf.ts';
import { SizedMap } from './sizedMap.ts';

const OPTIONS = { strict: false, allErrors: true, validateFormats: false, logger: false, ownProperties: true } as const;
/** Of the texts of schemas; their compiled forms take up to twenty times as much. */
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
      return { isUsable: false, problems: [] };
    }
    const { value } = order;
    if (value === undefined || validate(JSON.parse(value))) return { isUsable: true, problems: [] };
    const found = validate.errors ?? [];
    const errors = isRounded(value) ? found.filter(({ keyword }) => !EXACT.has(keyword)) : found;
    return { isUsable: true, problems: problemsOf(errors as never, {}).slice(0, MAX_PROBLEMS) };
  };
}

/** What these keywords compare may differ in digits that a number of JavaScript does not have. */
const EXACT = new Set(['uniqueItems', 'exclusiveMinimum', 'exclusiveMaximum', 'minimum', 'maximum', 'multipleOf']);

const isRounded = (json: string): boolean => stringifyExact(parseExact(json)) !== JSON.stringify(JSON.parse(json));

function lazyMeta(Compiler: typeof Ajv | typeof Ajv2020): () => Ajv {
  let meta: Ajv | undefined;
  return () => (meta ??= new Compiler(OPTIONS));
}
