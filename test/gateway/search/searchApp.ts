import { type Json, MemoryApp } from '../../support/memory/app.ts';

export const EVERYONE = { sharing: 'app', perms: { read: ['*'], write: [] } };

export const TOOL = {
  name: 'errors',
  description: 'Errors of one host',
  search: 'search index=main host="$host$" | stats count by sourcetype',
  arguments: [{ name: 'host', type: 'string', description: 'Name of the host' }],
  acl: EVERYONE,
};

/** An app with a search tool, `anna` who publishes, `ann` who may call all of them and `carl` who may call published ones alone. */
export async function searchApp(): Promise<MemoryApp> {
  const app = new MemoryApp();
  app.user('anna', { capabilities: ['edit_search_tools'] });
  app.user('ann', { capabilities: ['use_ai_gateway', 'list_search_tools', 'run_spl_tool'], roles: ['user'] });
  app.user('carl', { capabilities: ['use_ai_gateway'] });
  await publish(app, TOOL);
  return app;
}

export async function publish(app: MemoryApp, body: Json): Promise<void> {
  const saved = await app.call('anna', 'POST', '/search_tools', body);
  if (saved.status !== 200) throw new Error(JSON.stringify(saved.json));
}
