import type { SchemaChecks } from '../../ports/platform/schemaChecks.ts';
import { lazy } from '../lazy.ts';

const IS_BUNDLE = import.meta.url.endsWith('.mjs');
/** The program of the thread that checks. */
const PROGRAM = new URL(IS_BUNDLE ? './schema.mjs' : '../../main/schemaChecker.ts', import.meta.url);

/** Checks of one process, in a thread that is started for the first one. */
export function schemaChecks(): SchemaChecks {
  let loading: Promise<SchemaChecks> | undefined;
  return lazy<SchemaChecks>(() => {
    loading ??= import('../../adapters/schema/schemaChecks.ts').then(({ createSchemaChecks }) =>
      createSchemaChecks(PROGRAM),
    );
    return loading;
  });
}
