import type { McpContact } from '../../../ports/mcp/mcpClient.ts';
import type { Target } from '../../../resources/target.ts';
import type { McpConnections } from '../kind.ts';
import type { McpStored } from '../records.ts';
import { discoveredFields } from './contact.ts';
import { isStillAt } from './testing.ts';

/** Stores what a contact has shown of a saved connection; writes only if a field changed. */
export async function rememberContact(
  connections: McpConnections,
  target: Target<McpStored>,
  contact: McpContact,
): Promise<void> {
  const { saved } = target;
  if (!saved) return;
  const isNews = Object.entries(discoveredFields(saved, contact)).some(
    ([key, value]) => saved[key as keyof McpStored] !== value,
  );
  if (!isNews) return;
  await connections.sealed.amend(saved._key, async (record) =>
    isStillAt(record, target) ? { open: discoveredFields(record, contact) } : undefined,
  );
}
