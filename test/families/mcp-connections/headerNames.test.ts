import { expect } from 'chai';
import { MemoryApp } from '../../support/memory/app.ts';
import { FaultPlan } from '../../support/memory/faults.ts';

const PATH = '/mcp_connection';
const body = (headers: Record<string, string>) => ({ name: 'x', details: { headers } });

describe('header names of an MCP connection are case-insensitive', () => {
  it('stores a header once that two callers send in different case at the same time', async () => {
    const timesSeen = new Set<string>();
    for (let at = 1, changed = true; changed; at++) {
      const app = new MemoryApp();
      const details = { url: 'https://a.example/mcp', token: 't' };
      await app.call('editor', 'POST', PATH, { name: 'x', type: 'PLATFORM', details });
      changed = false;
      const faults = new FaultPlan(at, async () => {
        changed = true;
        // The second caller waits for the lease.
        if (app.site.records.all('ml_leases').length > 0) return;
        expect((await app.call('editor', 'PUT', PATH, body({ 'X-Key': 'theirs' }))).status).to.equal(200);
      });
      const payload = Buffer.from(JSON.stringify(body({ 'x-key': 'ours' })));
      const request = { method: 'PUT', path: `/ml${PATH}`, body: payload, sessionToken: 'editor' };
      expect((await app.request(request, faults)).status, `a change before call ${at}`).to.equal(200);
      const paths = app.site.records.all('ml_mcp_connections').flatMap((record) => record.secret_fields as string[]);
      const names = paths.filter((path) => path.startsWith('details/headers/'));
      expect(names, `a change before call ${at}: ${faults.trace.join(', ')}`).to.have.length(1);
      timesSeen.add(String(names));
    }
    expect([...timesSeen]).to.have.members(['details/headers/X-Key', 'details/headers/x-key']);
  });
});
