import type { SchemaChecks } from '../../ports/llm/schemaChecks.ts';
import { lazy } from '../lazy.ts';

/** Keeps compiled schemas of one process. */
export function schemaChecks(): SchemaChecks {
  let loading: Promise<SchemaChecks> | undefined;
  return lazy<SchemaChecks>(() => {
    loading ??= import('../../adapters/schema/schemaChecks.ts').then(({ createSchemaChecks }) => createSchemaChecks());
    return loading;
  });
}
