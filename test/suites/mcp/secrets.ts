import { expect } from 'chai';
import { CERTIFICATE } from '../../support/records/certificate.ts';
import { expectCode, fieldsOf } from '../../support/replies.ts';
import type { Answer } from '../../support/worlds/world.ts';
import { expectOk, type Json, MASK, type McpCalls, URL } from './calls.ts';

export function secretsTopic(mcp: McpCalls): void {
  const { world, post, put, remove, config, test, tools, made, tracker, secrets } = mcp;

  it('keeps what is masked or absent, sets values, deletes empty ones', async () => {
    const { name, config: created } = await tracker({ headers: { 'X-A': 'a', 'X-B': 'b' } });
    expect(created.details.headers).to.deep.equal({ 'X-A': MASK, 'X-B': MASK });
    const before = await secrets(name);
    expect(before).to.deep.equal({
      'details/token': 't1',
      'details/client_secret': 's1',
      'details/refresh_token': 'r1',
      'details/headers/X-A': 'a',
      'details/headers/X-B': 'b',
    });
    await put({ name, description: 'x' });
    await put({ name, details: { token: MASK, headers: { 'X-A': MASK } } });
    expect(await secrets(name)).to.deep.equal(before);
    const reply = await put({
      name,
      details: { token: 't2', client_secret: '', refresh_token: null, headers: { 'x-b': '', 'X-C': 'c' } },
    });
    expectOk(reply);
    const { details } = reply.json.config;
    expect(details).to.include({ token: MASK });
    expect(details).to.not.have.any.keys('client_secret', 'refresh_token');
    expect(details.headers).to.deep.equal({ 'X-A': MASK, 'X-C': MASK });
    expect(await secrets(name)).to.deep.equal({
      'details/token': 't2',
      'details/headers/X-A': 'a',
      'details/headers/X-C': 'c',
    });
    await put({ name, details: { headers: null, token: '' } });
    expect(await secrets(name)).to.equal(undefined);
    expect((await config(name)).details).to.not.have.any.keys('token', 'headers');
  });

  it('takes a value that contains the mask for a value, and trims what is pasted', async () => {
    const { name } = await tracker({ token: `x${MASK}` });
    expect(await secrets(name)).to.include({ 'details/token': `x${MASK}` });
    await put({ name, details: { token: MASK.toLowerCase() } });
    expect(await secrets(name)).to.include({ 'details/token': MASK.toLowerCase() });
    await put({ name, details: { client_secret: ` ${MASK} `, token: '\n pasted \n' } });
    expect(await secrets(name)).to.include({ 'details/client_secret': ` ${MASK} `, 'details/token': 'pasted' });
  });

  it('keeps long and unusual values whole, and deletes all of them', async () => {
    const before = await world.secretRefs();
    const long = `${'x'.repeat(254)}:\\"%/é${'y'.repeat(6000)}`;
    const { name } = await made({ details: { url: URL, token: long } });
    expect(await secrets(name)).to.deep.equal({ 'details/token': long });
    await remove(name);
    expect(await world.secretRefs()).to.deep.equal(before);
  });

  it('refuses the mask where nothing is stored', async () => {
    const refused = (reply: Answer, field: string) => {
      expectCode(reply, 400, 'masked_value_without_stored_secret');
      expect(fieldsOf(reply)).to.deep.equal([field]);
    };
    const body = { type: 'PLATFORM', details: { url: 'http://127.0.0.1:9/', token: MASK } };
    refused(await post({ name: 'masked', ...body }), 'details.token');
    const { name } = await made({ details: { url: URL } });
    refused(await put({ name, details: { token: MASK } }), 'details.token');
    refused(await put({ name, details: { headers: { X: MASK } } }), 'details.headers.X');
    for (const act of [test, tools]) refused(await act(body), 'details.token');
  });

  it('binds secrets to host, port and scheme of url and token_url', async () => {
    const start = { url: 'https://mcp.example/mcp', token_url: 'https://auth.example/token' };
    const moves: [string, Json][] = [
      ['another host', { url: 'https://evil.example/mcp' }],
      ['a subdomain', { url: 'https://a.mcp.example/mcp' }],
      ['a longer host', { url: 'https://mcp.example.evil/mcp' }],
      ['another port', { url: 'https://mcp.example:8443/mcp' }],
      ['a lower scheme', { url: 'http://mcp.example/mcp' }],
      ['a lower scheme on the same port', { url: 'http://mcp.example:443/mcp' }],
      ['another token host', { token_url: 'https://evil.example/token' }],
      ['another token port', { token_url: 'https://auth.example:444/token' }],
      ['a lower token scheme', { token_url: 'http://auth.example/token' }],
      // The endpoint that is found without it may be on another host.
      ['no token_url', { token_url: null }],
      ['an empty token_url', { token_url: '' }],
    ];
    for (const [what, move] of moves) {
      const { name } = await tracker(start);
      const masks = { token: MASK, client_secret: MASK, refresh_token: MASK };
      const some = { token: 'new', client_secret: 'new' };
      for (const details of [move, { ...move, ...masks }, { ...move, ...some }]) {
        for (const reply of [
          await put({ name, details }),
          await test({ name, details }),
          await tools({ name, details }),
        ]) {
          expectCode(reply, 400, 'secret_required_for_new_host', what);
          expect(fieldsOf(reply), what).to.include('details.refresh_token');
          expect(reply.json.message, what).to.include(`details.${Object.keys(move)[0]}`);
        }
      }
      expect((await config(name)).version).to.equal(1);
      expect(await secrets(name)).to.include({ 'details/refresh_token': 'r1' });
      const anew = await put({ name, details: { ...move, token: 'n', client_secret: '', refresh_token: 'n' } });
      expectOk(anew, what);
      expect(await secrets(name)).to.deep.equal({ 'details/token': 'n', 'details/refresh_token': 'n' });
      if (!move.token_url && 'token_url' in move) expect(anew.json.config.details).to.not.have.property('token_url');
    }
  });

  it('binds headers too; they keep the case they were stored in', async () => {
    const { name } = await made({ details: { url: URL, headers: { 'X-Key': 'k' } } });
    const url = 'https://evil.example/';
    for (const details of [{ url }, { url, headers: { 'X-Key': MASK } }]) {
      const reply = await put({ name, details });
      expectCode(reply, 400, 'secret_required_for_new_host');
      expect(fieldsOf(reply)[0]).to.equal('details.headers.X-Key');
    }
    const anew = await put({ name, details: { url, headers: { 'x-key': 'h' } } });
    expect(anew.json.config.details.headers).to.deep.equal({ 'X-Key': MASK });
  });

  it('lets path, case, a default port and http to https pass', async () => {
    const { name } = await tracker({ url: 'http://mcp.example/mcp', token_url: 'http://auth.example:8080/t' });
    const moves = [
      { url: 'http://mcp.example/other?x=1' },
      { url: 'http://MCP.example:80/other' },
      { url: 'https://mcp.example/other' },
      { url: 'https://MCP.example:443/other?x=1' },
      { token_url: 'http://auth.example:8080/other' },
      { token_url: 'https://auth.example:8080/other' },
    ];
    for (const move of moves) expectOk(await put({ name, details: move }), JSON.stringify(move));
    expect(await secrets(name)).to.include({ 'details/token': 't1' });
  });

  it('lets a record without secrets go anywhere', async () => {
    const { name } = await made({ details: { url: URL } });
    expectOk(await put({ name, details: { url: 'https://other.example/' } }));
  });

  describe('how the server is verified binds them like its address', () => {
    const anew = { token: 'a', client_secret: 'b', refresh_token: 'c', headers: { 'X-Key': 'd' } };
    const masked = { token: MASK, client_secret: MASK, refresh_token: MASK, headers: { 'X-Key': MASK } };
    const started = () => tracker({ token_url: 'https://auth.example/token', headers: { 'X-Key': 'h' } });

    it('no verification, or another authority, needs every secret anew, masked or absent, saved or inline', async () => {
      const { name } = await started();
      for (const change of [{ verify_tls: false }, { ca_certificate: CERTIFICATE }]) {
        for (const more of [{}, masked, { ...anew, headers: { 'X-Key': MASK } }, { ...anew, token: MASK }]) {
          const details = { ...change, ...more };
          const before = await secrets(name);
          for (const reply of [await put({ name, details }), await test({ name, details })]) {
            expectCode(reply, 400, 'secret_required_for_new_host', JSON.stringify(details));
            expect(reply.json.message).to.contain('details.verify_tls');
          }
          expect(await secrets(name)).to.deep.equal(before);
        }
        const changed = await put({ name, details: { ...change, ...anew } });
        expectOk(changed);
        expect(changed.json.config.details).to.include({ ...change, token: MASK });
        await put({ name, details: { verify_tls: true, ca_certificate: null } });
      }
    });

    it('a stricter way keeps them', async () => {
      const { name } = await started();
      await put({ name, details: { verify_tls: false, ...anew } });
      expectOk(await put({ name, details: { verify_tls: true } }));
      expect(await secrets(name)).to.include({ 'details/token': 'a' });
    });
  });
}
