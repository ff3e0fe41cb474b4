import { expect } from 'chai';
import { assertAllowed, isAllowed } from '../../../src/families/mcp-connections/toolCalls.ts';

describe('MCP connections: tools_allowed', () => {
  it('lets everything be called where it is absent, and only what it names where it is there', () => {
    expect(isAllowed({}, 'anything')).to.equal(true);
    expect(isAllowed({ tools_allowed: [] }, 'anything')).to.equal(false);
    expect(() => assertAllowed({ tools_allowed: ['echo'] }, 'echo')).not.to.throw();
    expect(() => assertAllowed({ tools_allowed: ['echo'] }, 'Echo')).to.throw(/does not allow the tool Echo/);
  });
});
