import type { Migration } from '../../domain/records/storeSchema.ts';

/** The first one leads from `BASE_VERSION` to the version after it; see docs/adr/0010-store-schema.md. */
export const MIGRATIONS: readonly Migration[] = [
  async (stores) => (await import('../../families/llm-providers/migration.ts')).storeModelNames(stores),
];
