import { expect } from 'chai';
import { OutboundError } from '../../../src/contract/codes/outbound.ts';
import { assertAllowed, callTool, isAllowed } from '../../../src/families/mcp-connections/calls/toolCalls.ts';
import type { McpConnections } from '../../../src/families/mcp-connections/kind.ts';
import type { McpStored } from '../../../src/families/mcp-connections/records.ts';
import { unmasked } from '../../../src/masking/outgoing.ts';
import type { Target } from '../../../src/resources/target.ts';
import { FakeMcp } from '../../support/memory/mcp.ts';

describe('MCP connections: tools_allowed', () => {
  const details = { url: 'https://mcp.example/mcp', verify_tls: true };
  const record = { type: 'PLATFORM', details, tools_allowed: ['echo'] } as unknown as McpStored;
  const target = { record, saved: record, secrets: { 'details/token': 'token' }, hidden: ['token'] };
  const connections = { stores: {}, now: () => 0 } as unknown as McpConnections;
  const call = (deps: FakeMcp, name: string) =>
    callTool(connections, deps, target as unknown as Target<McpStored>, unmasked({ name, arguments: {} }), 1000);

  it('allows all tools if absent, else only those it names', () => {
    expect(isAllowed({}, 'anything')).to.equal(true);
    expect(isAllowed({ tools_allowed: [] }, 'anything')).to.equal(false);
    expect(() => assertAllowed(record, 'echo')).not.to.throw();
    expect(() => assertAllowed(record, 'Echo')).to.throw(/does not allow the tool Echo/);
  });

  it('is enforced before the server is called', async () => {
    const deps = new FakeMcp();
    const refused = await Promise.resolve()
      .then(() => call(deps, 'other'))
      .catch((error) => error);
    expect(refused).to.be.instanceOf(OutboundError).and.have.property('code', 'blocked_by_policy');
    expect(deps.targets).to.deep.equal([]);
    const { contact } = await call(deps, 'echo');
    expect(contact.result).to.deep.equal({ content: [] });
    expect(deps.targets).to.have.length(1);
  });

  it('does not repeat a call after a 401 if there is no other token', async () => {
    const deps = new FakeMcp();
    let calls = 0;
    deps.client.callTool = async () => {
      calls += 1;
      const error = new OutboundError('auth_failed', 'no', { httpStatus: 401 });
      const seen = { httpStatus: 401, reachable: true, authenticated: false, transport: null, protocolVersion: null };
      return { ...seen, error };
    };
    const { contact } = await call(deps, 'echo');
    expect([contact.error?.code, calls]).to.deep.equal(['auth_failed', 1]);
  });
});
