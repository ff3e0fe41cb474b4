import { expect } from 'chai';
import { type PeerTool, startModern } from '../../support/peers/mcp/modern.ts';
import { startCircling, startRefusing, startScripted } from '../../support/peers/mcp/scripted.ts';
import type { Peers } from '../../support/peers/peers.ts';
import { expectFailedListing, expectOk, inline, type Json, LISTINGS, type McpCalls } from './calls.ts';

const NO_DRIFT = { added: [], removed: [], changed: [] };

export function toolsTopic(mcp: McpCalls, { started }: Peers): void {
  const { world, post, put, remove, tools, config, made } = mcp;
  const saved = async (url: string, more: Json = {}) => (await made({ details: { url }, ...more })).name;
  const listTools = async (name: string) => (await tools({ name })).json.data;
  const drift = async (name: string) => (await listTools(name)).drift;
  const allowed = async (name: string) => (await listTools(name)).tools.map((item: Json) => [item.name, item.allowed]);

  const schema = { type: 'object', properties: { a: { type: 'string' }, b: { type: 'number' } } };
  const tool = (name: string, more: Partial<PeerTool> = {}): PeerTool => ({
    name,
    description: `does ${name}`,
    inputSchema: schema,
    ...more,
  });

  it('lists all, and marks what agents may call', async () => {
    const first = tool('one', { title: 'One', annotations: { readOnlyHint: true } });
    const { url } = await started(startModern({ tools: [first, tool('two')] }));
    const name = await saved(url);
    const open = [
      ['one', true],
      ['two', true],
    ];
    expect(await allowed(name)).to.deep.equal(open);
    await put({ name, tools_allowed: ['two', 'gone'] });
    const { status, json } = await tools({ name });
    expect(status).to.equal(200);
    const { response_time_ms } = json.data;
    const accepted = json.data.tools.map(({ fingerprint }: Json) => ({ accepted: true, fingerprint }));
    expect(json).to.deep.equal({
      status: 'success',
      message: '2 tools',
      success: true,
      data: {
        mcp_name: name,
        mcp_type: 'PLATFORM',
        mcp_server_url: url,
        response_time_ms,
        tool_count: 2,
        tools: [
          {
            name: 'one',
            title: 'One',
            description: 'does one',
            input_schema: schema,
            annotations: { readOnlyHint: true },
            allowed: false,
            ...accepted[0],
          },
          { name: 'two', description: 'does two', input_schema: schema, allowed: true, ...accepted[1] },
        ],
        drift: NO_DRIFT,
      },
    });
    await put({ name, tools_allowed: [] });
    expect(await allowed(name)).to.deep.equal(open.map(([tool]) => [tool, false]));
  });

  it('reads every page of the list', async () => {
    const all = Array.from({ length: 7 }, (_, index) => tool(`t${index}`));
    const { url } = await started(startModern({ tools: all, pageSize: 3, modernOnly: true }));
    const { data } = (await tools(inline(url))).json;
    expect(data.tools.map((item: Json) => item.name)).to.deep.equal(all.map(({ name }) => name));
    expect(data.mcp_name).to.equal(null);
  });

  it('counts the tools of a repeated page once, and says once that the list is cut', async () => {
    const page = { tools: [tool('one'), tool('two')], nextCursor: 'same' };
    const server = await started(
      startScripted(
        () => false,
        () => page,
      ),
    );
    const name = await saved(server.url);
    const { json } = await tools({ name });
    expect(json.data).to.include({ tool_count: 2, truncated: true });
    expect(json.warnings).to.deep.equal(['The listing is not complete: The server repeated a page cursor.']);
  });

  it('names the tools that it leaves out, and accepts and lists the others', async () => {
    const listed = { tools: [null, { name: 'odd', inputSchema: 'x' }, { ...tool('one'), description: null }] };
    const server = await started(
      startScripted(
        () => false,
        () => listed,
      ),
    );
    const name = await saved(server.url);
    const { json } = await tools({ name });
    expect(json.data.tools.map((item: Json) => [item.name, item.accepted])).to.deep.equal([['one', true]]);
    expect(json.warnings).to.deep.equal([
      'Tool 1 of the list is left out: it is not an object.',
      'Tool 2 of the list (odd) is left out: its input schema is not that of an object.',
    ]);
  });

  it('drift: nothing at first, then names against the last listing', async () => {
    const server = await started(startModern({ tools: [tool('one'), tool('two'), tool('three')] }));
    const name = await saved(server.url);
    expect(await drift(name)).to.deep.equal(NO_DRIFT);
    expect(await drift(name)).to.deep.equal(NO_DRIFT);
    server.setTools([tool('two', { description: 'other' }), tool('four'), tool('three')]);
    expect(await drift(name)).to.deep.equal({ added: ['four'], removed: ['one'], changed: ['two'] });
    expect(await drift(name)).to.deep.equal(NO_DRIFT);
  });

  it('drift: the order of tools and of keys, titles and annotations are no change; an input schema is', async () => {
    const server = await started(startModern({ tools: [tool('one'), tool('two')] }));
    const name = await saved(server.url);
    await drift(name);
    const turned = { properties: { b: { type: 'number' }, a: { type: 'string' } }, type: 'object' };
    server.setTools([tool('two', { title: 'T', annotations: { title: 'x' } }), tool('one', { inputSchema: turned })]);
    expect(await drift(name)).to.deep.equal(NO_DRIFT);
    server.setTools([tool('one', { inputSchema: { ...schema, required: ['a'] } }), tool('two')]);
    expect(await drift(name)).to.deep.equal({ ...NO_DRIFT, changed: ['one'] });
  });

  it('drift: given details neither see nor move the last listing; a new connection of the name has none', async () => {
    const server = await started(startModern({ tools: [tool('old')] }));
    const name = await saved(server.url);
    await drift(name);
    server.setTools([tool('old'), tool('new')]);
    for (const body of [inline(server.url), { name, details: {} }]) {
      expect((await tools(body)).json.data.drift).to.deep.equal(NO_DRIFT);
    }
    expect((await drift(name)).added).to.deep.equal(['new']);
    expectOk(await remove(name));
    expect(await world.records(LISTINGS)).to.deep.equal([]);
    await world.later();
    expectOk(await post({ name, ...inline(server.url) }));
    server.setTools([tool('other')]);
    expect(await drift(name)).to.deep.equal(NO_DRIFT);
  });

  it('a circular list is truncated with a warning; the last listing stays', async () => {
    const server = await started(startModern({ tools: [tool('one'), tool('two')] }));
    const circling = await started(startCircling());
    const name = await saved(server.url);
    expect(await listTools(name)).to.not.have.property('truncated');
    expectOk(await put({ name, details: { url: circling.url } }));
    const { json } = await tools({ name });
    expect([json.status, json.success, json.data.truncated]).to.deep.equal(['success', true, true]);
    expect(json.warnings).to.have.length(1);
    expectOk(await put({ name, details: { url: server.url } }));
    const allTools = await listTools(name);
    expect(allTools.drift).to.deep.equal(NO_DRIFT);
    expect(allTools).to.not.have.property('truncated');
  });

  it('a failure leaves the last listing', async () => {
    const server = await started(startModern());
    const refusing = await started(startRefusing(401, 'no'));
    const name = await saved(server.url);
    await tools({ name });
    const listings = await world.records(LISTINGS);
    expect(listings).to.have.length(1);
    expectOk(await put({ name, details: { url: refusing.url } }));
    expectFailedListing(await tools({ name }), 502, 'auth_failed');
    expect(await world.records(LISTINGS)).to.deep.equal(listings);
  });

  it('changes neither version nor last_updated', async () => {
    const name = await saved((await started(startModern())).url);
    const { version, last_updated_at } = await config(name);
    await world.later();
    await tools({ name });
    const after = await config(name);
    expect(after).to.include({ version, last_updated_at });
    expect(after).to.not.have.property('last_test');
  });
}
