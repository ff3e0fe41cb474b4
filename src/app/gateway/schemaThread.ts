/** Checks values against schemas in this thread. Nothing else loads the compiler of schemas. */
export async function serveSchemas(): Promise<void> {
  const { serveChecks } = await import('../../adapters/schema/serveChecks.ts');
  serveChecks();
}
