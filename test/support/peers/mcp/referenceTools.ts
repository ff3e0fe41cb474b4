import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, Server } from '@modelcontextprotocol/server';
import { type Peer, startHttp } from '../listen.ts';

type Json = Record<string, unknown>;
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
const SILENCE = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';
const text = (value: string) => ({ type: 'text', text: value });
const image = { type: 'image', data: PIXEL, mimeType: 'image/png' };
const resource = (uri: string) => ({ type: 'resource', resource: { uri, mimeType: 'text/plain', text: 'embedded' } });

/** Tools that the conformance suite calls by these names, and what they answer. */
const TOOLS: Readonly<Record<string, { inputSchema?: Json; answer(args: Json): Json }>> = {
  test_simple_text: { answer: () => ({ content: [text('This is a simple text response for testing.')] }) },
  test_image_content: { answer: () => ({ content: [image] }) },
  test_audio_content: { answer: () => ({ content: [{ type: 'audio', data: SILENCE, mimeType: 'audio/wav' }] }) },
  test_embedded_resource: { answer: () => ({ content: [resource('test://embedded-resource')] }) },
  test_multiple_content_types: {
    answer: () => ({
      content: [text('Multiple content types test:'), image, resource('test://mixed-content-resource')],
    }),
  },
  test_error_handling: {
    answer: () => ({ content: [text('This tool intentionally returns an error for testing')], isError: true }),
  },
  test_tool_with_logging: { answer: () => ({ content: [text('Tool with logging executed successfully')] }) },
  test_logging_tool: { answer: () => ({ content: [text('It may log')] }) },
  test_tool_with_progress: { answer: () => ({ content: [text('Done')] }) },
  test_custom_headers: {
    inputSchema: { properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } },
    answer: (args) => ({ content: [text(JSON.stringify(args))] }),
  },
  json_schema_2020_12_tool: {
    inputSchema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $defs: {
        address: {
          $anchor: 'addressDef',
          type: 'object',
          properties: { street: { type: 'string' }, city: { type: 'string' } },
        },
      },
      properties: {
        name: { type: 'string' },
        address: { $ref: '#/$defs/address' },
        contactMethod: { type: 'string', enum: ['phone', 'email'] },
        phone: { type: 'string' },
        email: { type: 'string' },
      },
      allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
      if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
      then: { required: ['phone'] },
      else: { required: ['email'] },
      additionalProperties: false,
    },
    answer: (args) => ({ content: [text(JSON.stringify(args))] }),
  },
};

/** A server with the tools of the protocol's conformance suite. */
export async function startReferenceTools(): Promise<Peer> {
  const handler = createMcpHandler(() => {
    const server = new Server({ name: 'reference-tools', version: '1.0.0' }, { capabilities: { tools: {} } });
    server.setRequestHandler('tools/list', () => ({
      tools: Object.entries(TOOLS).map(([name, { inputSchema }]) => ({
        name,
        description: `The tool ${name}`,
        inputSchema: { type: 'object' as const, ...inputSchema },
      })),
    }));
    server.setRequestHandler('tools/call', ({ params }) => TOOLS[params.name]?.answer(params.arguments ?? {}) as never);
    return server;
  });
  const node = toNodeHandler(handler);
  const peer = await startHttp((request, response) => {
    void node(request as Parameters<typeof node>[0], response);
  });
  return { url: `${peer.url}/mcp`, close: peer.close };
}
