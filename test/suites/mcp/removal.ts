import { expect } from 'chai';
import { expectCode } from '../../support/replies.ts';
import { expectFields, expectOk, type McpCalls } from './calls.ts';

export function removalTopic(mcp: McpCalls): void {
  const { world, put, get, list, remove, made } = mcp;
  const uses = (agent: string, owner: string, mcpName: string) =>
    world.store('ml_agents', {
      _key: agent,
      name: agent,
      acl: { owner, sharing: 'user', perms: { read: ['*'], write: [] } },
      mcps: [{ name: mcpName, tools: [] }],
    });

  it('takes the record and its secrets, and answers its name', async () => {
    const before = await world.secretRefs();
    const { name } = await made();
    expect(await world.secretRefs()).to.have.length(before.length + 1);
    const reply = await remove(name.toUpperCase());
    expectOk(reply);
    expect(reply.json).to.deep.equal({ status: 'success', message: 'MCP connection deleted', name });
    expect(await world.secretRefs()).to.deep.equal(before);
    for (const gone of [await get(name), await list('?name=conn'), await remove(name), await put({ name })]) {
      expectCode(gone, 404, 'not_found');
    }
  });

  it('is refused while agents name it, unless forced; those that the caller may not read are not told', async () => {
    const { name } = await made();
    await uses('mine', 'anna', name.toUpperCase());
    await uses('hidden', 'bert', name);
    await uses('other', 'anna', 'conn');
    const reply = await remove(name);
    expectCode(reply, 409, 'in_use');
    expect(reply.json.used_by).to.deep.equal(['mine']);
    expect(JSON.stringify(reply.json)).to.not.contain('hidden');
    expectCode(await remove(name, 'anna', '?force=false'), 409, 'in_use');
    expectOk(await get(name));
    expectFields(await remove(name, 'anna', '?force=maybe'), 'force');
    expect((await remove(name, 'anna', '?force=true')).json.name).to.equal(name);
    expectCode(await get(name), 404, 'not_found');
  });

  it('is refused even where none of the agents may be read, until none names it', async () => {
    const { name } = await made();
    await uses('hidden', 'bert', name);
    const reply = await remove(name);
    expectCode(reply, 409, 'in_use');
    expect(reply.json.used_by).to.deep.equal([]);
    await uses('hidden', 'bert', 'another');
    expectOk(await remove(name));
  });
}
