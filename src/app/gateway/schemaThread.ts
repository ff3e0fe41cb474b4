/** Checks values against schemas in this thread. Nothing else loads the compiler of schemas. */
export async function serveSchemas(): Promise<void> {
  const { createChecker } = await import('../../adapters/schema/checker.ts');
  const { serveOrders } = await import('../../adapters/threads/serveOrders.ts');
  serveOrders(createChecker());
}
