import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import { createMcpClient } from '../../../src/adapters/mcp/mcpClient.ts';
import { createOutbound } from '../../../src/adapters/outbound/outbound.ts';
import { startDeadline } from '../../../src/domain/async/deadline.ts';
import { readBody, startHttp } from '../../support/peers/listen.ts';
import { answerLegacy, type RpcMessage } from '../../support/peers/mcp/scripted.ts';
import { Peers } from '../../support/peers/peers.ts';

const client = createMcpClient(createOutbound({ allowPrivate: true }));
const { started: run } = new Peers(afterEach);
const TEXT = '{"ids":[725653563933458433,-9223372036854775807,18446744073709551615],"n":0.1}';
const VALUE = { ids: [725653563933458433n, -9223372036854775807n, 18446744073709551615n], n: 0.1 };
const SCHEMA = '{"type":"object","maximum":18446744073709551615}';

const asJson = (response: ServerResponse, text: string) =>
  response.writeHead(200, { 'content-type': 'application/json' }).end(text);
const asEvents = (response: ServerResponse, text: string) =>
  response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`event: message\ndata: ${text}\n\n`);

describe('MCP: integers beyond 2^53', () => {
  for (const [kind, send] of [['JSON', asJson] as const, ['an event stream', asEvents] as const]) {
    it(`have the same digits in arguments, results and listings in ${kind}`, async () => {
      const bodies: string[] = [];
      const peer = await run(
        startHttp(async (request, response) => {
          const body = request.method === 'POST' ? await readBody(request) : '{}';
          const message = JSON.parse(body) as RpcMessage;
          const { id } = message;
          if (message.method === 'tools/call') {
            bodies.push(body);
            send(response, `{"jsonrpc":"2.0","id":${id},"result":{"content":[],"structuredContent":${TEXT}}}`);
          } else if (message.method === 'tools/list')
            send(response, `{"jsonrpc":"2.0","id":${id},"result":{"tools":[{"name":"get","inputSchema":${SCHEMA}}]}}`);
          else answerLegacy(response, message, () => ({ tools: [] }));
        }),
      );
      const target = { url: `${peer.url}/mcp`, verifyTls: true, secrets: [] };
      const answer = await client.callTool(
        target,
        { name: 'get', arguments: VALUE },
        { connectMs: 5000, workMs: 5000 },
      );
      expect(answer.error).to.equal(undefined);
      expect(bodies).to.have.length(1);
      expect(bodies[0]).to.include(`"arguments":${TEXT}`);
      expect(answer.result?.structuredContent).to.deep.equal(VALUE);
      using deadline = startDeadline(5000);
      const { tools } = await client.listTools(target, deadline);
      expect(tools[0]?.input_schema?.maximum).to.equal(18446744073709551615n);
    });
  }
});
