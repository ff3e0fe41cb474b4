import type { Migration } from '../../domain/records/storeSchema.ts';

/** Migration n leads from schema version n to n + 1; see docs/adr/0010-store-schema.md. */
export const MIGRATIONS: readonly Migration[] = [
  async (stores) => (await import('../../families/experiments/migration.ts')).migrateFrom020(stores),
];
