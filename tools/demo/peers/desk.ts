import type { RequestListener } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, Server } from '@modelcontextprotocol/server';

type Arguments = Readonly<Record<string, unknown>>;

interface DeskTool {
  title: string;
  description: string;
  properties?: Record<string, { type: string; description: string }>;
  required?: string[];
  annotations: { readOnlyHint?: boolean; destructiveHint?: boolean; idempotentHint?: boolean };
  /** @returns what the tool says, and the same as values if it has any */
  answer(args: Arguments): { text: string; structured?: Record<string, unknown> };
}

const TEXT = (description: string) => ({ type: 'string', description });
const DISKS = [
  { host: 'db-3', mount: '/var', used_percent: 94 },
  { host: 'web-1', mount: '/', used_percent: 71 },
  { host: 'web-2', mount: '/', used_percent: 38 },
];

/** An incident desk. What is closed or restarted is forgotten when the process ends. */
function deskTools(): Readonly<Record<string, DeskTool>> {
  const incidents = [
    { id: 17, service: 'checkout', state: 'open', summary: 'checkout answers in 9 s since 08:40' },
    { id: 16, service: 'mail', state: 'open', summary: 'mail queue grows on db-3, /var is at 94 %' },
    { id: 15, service: 'checkout', state: 'closed', summary: 'checkout was restarted after a deployment' },
  ];
  return {
    search_incidents: {
      title: 'Search incidents',
      description: 'Finds incidents whose service or summary contains the query.',
      properties: { query: TEXT('What to look for; empty for all') },
      annotations: { readOnlyHint: true },
      answer({ query = '' }) {
        const matching = incidents.filter(({ service, summary }) => `${service} ${summary}`.includes(String(query)));
        const text = matching.map(({ id, state, summary }) => `#${id} (${state}): ${summary}`).join('; ');
        return { text: text || 'No incident', structured: { incidents: matching } };
      },
    },
    disk_usage: {
      title: 'Disk usage',
      description: 'Says how full the disks are, of one host or of all.',
      properties: { host: TEXT('Name of the host') },
      annotations: { readOnlyHint: true },
      answer({ host }) {
        const disks = DISKS.filter((disk) => host === undefined || disk.host === host);
        const text = disks.map((disk) => `${disk.host} ${disk.mount} ${disk.used_percent} %`).join(', ');
        return { text: text || `There is no host ${host}`, structured: { disks } };
      },
    },
    close_incident: {
      title: 'Close an incident',
      description: 'Closes an incident with a comment.',
      properties: { id: { type: 'integer', description: 'Number of the incident' }, comment: TEXT('Why it is closed') },
      required: ['id'],
      annotations: { destructiveHint: false, idempotentHint: true },
      answer({ id }) {
        const incident = incidents.find((item) => item.id === id);
        if (!incident) return { text: `There is no incident ${id}` };
        incident.state = 'closed';
        return { text: `Incident ${id} is closed` };
      },
    },
    restart_service: {
      title: 'Restart a service',
      description: 'Restarts a service on all of its hosts. Requests under way are lost.',
      properties: { service: TEXT('Name of the service') },
      required: ['service'],
      annotations: { destructiveHint: true },
      answer: ({ service }) => ({ text: `${service} was restarted on web-1 and web-2, it answers in 0.2 s` }),
    },
  };
}

/** An MCP server of the incident desk. */
export function deskServer(): RequestListener {
  const tools = deskTools();
  const handler = createMcpHandler(() => {
    const server = new Server({ name: 'demo-desk', version: '1.0.0' }, { capabilities: { tools: {} } });
    server.setRequestHandler('tools/list', () => ({
      tools: Object.entries(tools).map(
        ([name, { title, description, properties = {}, required = [], annotations }]) => ({
          ...{ name, title, description, annotations },
          inputSchema: { type: 'object' as const, properties, required },
        }),
      ),
    }));
    server.setRequestHandler('tools/call', ({ params }) => {
      const tool = tools[params.name];
      if (!tool)
        return { content: [{ type: 'text' as const, text: `There is no tool ${params.name}` }], isError: true };
      const { text, structured } = tool.answer(params.arguments ?? {});
      return { content: [{ type: 'text' as const, text }], ...(structured ? { structuredContent: structured } : {}) };
    });
    return server;
  });
  const node = toNodeHandler(handler);
  return (request, response) => void node(request as Parameters<typeof node>[0], response);
}
