import type { Script } from 'node:vm';
import { Ajv, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { invalid } from '../../contract/codes/faults.ts';
import { problemsOf } from '../../contract/codes/problems.ts';
import { RecentMap } from '../../domain/async/recentMap.ts';
import type { SchemaChecks } from '../../ports/llm/schemaChecks.ts';

/** Servers have thousands of tools. */
const MAX_SCHEMAS = 500;
/** A caller's pattern or nesting may take forever. */
const TIMEOUT_MS = 1000;
const OPTIONS = { strict: false, allErrors: true, validateFormats: false, logger: false, ownProperties: true } as const;

type Schema = Record<string, unknown>;

/** Compiles and checks schemas with a time limit that also ends a running regular expression. */
export function createSchemaChecks(): SchemaChecks {
  const compiled = new RecentMap<{ validate: ValidateFunction | undefined }>(MAX_SCHEMAS);

  function compile(schema: Schema): ValidateFunction | undefined {
    const key = JSON.stringify(schema);
    const known = compiled.get(key) ?? { validate: withTimeout(() => compilerOf(schema).compile(schema)) };
    compiled.set(key, known);
    return known.validate;
  }

  return {
    async assertUsable(schema, field) {
      if (compile(schema)) return;
      throw invalid([{ field, message: 'is not a JSON schema that can be compiled within a second' }]);
    },
    async problems(schema, value) {
      const validate = compile(schema);
      if (!validate) return [];
      const isValid = withTimeout(() => validate(value));
      if (isValid === undefined) {
        // The next check of this schema must not take as long.
        compiled.set(JSON.stringify(schema), { validate: undefined });
        return [];
      }
      if (isValid) return [];
      return problemsOf((validate.errors ?? []) as never, {});
    },
  };
}

/** Draft 7 where the schema says so, else 2020-12. */
const compilerOf = ({ $schema }: Schema): Ajv =>
  typeof $schema === 'string' && $schema.includes('draft-07') ? new Ajv(OPTIONS) : new Ajv2020(OPTIONS);

let ending: { context: { work?: () => unknown }; script: Script } | undefined;

/** Undefined when the work throws or takes too long. */
function withTimeout<T>(work: () => T): T | undefined {
  const { createContext, Script } = process.getBuiltinModule('node:vm');
  // A new context for each check would take twice as long.
  ending ??= { context: createContext({}), script: new Script('work()') };
  ending.context.work = work;
  try {
    return ending.script.runInContext(ending.context, { timeout: TIMEOUT_MS }) as T;
  } catch {
    return undefined;
  } finally {
    // The value may be large.
    delete ending.context.work;
  }
}
