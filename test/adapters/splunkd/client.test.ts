import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { expect } from 'chai';
import { SplunkdClient } from '../../../src/adapters/splunkd/client.ts';
import { splunkdLookups } from '../../../src/adapters/splunkd/stores/lookupFiles.ts';
import { splunkdRecords } from '../../../src/adapters/splunkd/stores/recordStore.ts';
import { splunkdSecrets } from '../../../src/adapters/splunkd/stores/secretStore.ts';
import { Fault } from '../../../src/contract/codes/faults.ts';
import { InsertUnclear } from '../../../src/ports/stores/recordStore.ts';
import { faultOf } from '../../support/fault.ts';
import { listen, readBody } from '../../support/peers/listen.ts';

/** A platform that resets the connections of chosen calls. */
class Platform {
  readonly calls: string[] = [];
  /** How a call ends: after its work was done, or before. */
  reset: ((call: string, n: number) => 'before' | 'after' | undefined) | undefined;
  readonly documents = new Map<string, string>();
  readonly passwords = new Map<string, string>();
  delayMs = 0;
  most = 0;
  #open = 0;
  readonly server: Server = createServer((req, res) => void this.#serve(req, res));

  async #serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const body = await readBody(req);
    const url = new URL(req.url ?? '', 'http://x');
    const call = `${req.method} ${decodeURIComponent(url.pathname.replace(/^.*\/storage\//, ''))}`;
    this.calls.push(call);
    const n = this.calls.filter((other) => other === call).length;
    const how = this.reset?.(call, n);
    if (how === 'before') return destroy(req.socket);
    this.#open += 1;
    this.most = Math.max(this.most, this.#open);
    if (this.delayMs > 0) await new Promise((resolve) => setTimeout(resolve, this.delayMs));
    const [status, answer] = this.#answer(call, body);
    this.#open -= 1;
    if (how === 'after') return destroy(req.socket);
    res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  }

  #answer(call: string, body: string): [number, unknown] {
    const [method = '', path = ''] = call.split(' ');
    if (path.startsWith('passwords'))
      return this.#password(method, path.slice('passwords/'.length), new URLSearchParams(body));
    const key = path.startsWith('/') ? path.split('/').at(-1) : path.split('/')[3];
    if (method === 'POST' && key === undefined) {
      const doc = JSON.parse(body) as { _key: string };
      if (this.documents.has(doc._key)) return [409, {}];
      this.documents.set(doc._key, body);
      return [201, { _key: doc._key }];
    }
    if (key === undefined || !this.documents.has(key)) return [404, {}];
    if (method === 'POST') this.documents.set(key, JSON.stringify({ ...JSON.parse(body), _key: key }));
    if (method === 'GET') return [200, { ...JSON.parse(this.documents.get(key) ?? ''), _user: 'nobody' }];
    if (method === 'DELETE') this.documents.delete(key);
    return [200, {}];
  }

  #password(method: string, entry: string, form: URLSearchParams): [number, unknown] {
    const name = entry === '' ? (form.get('name') ?? '') : (entry.split(':')[1] ?? '');
    if (method === 'POST' && entry === '' && this.passwords.has(name)) return [409, {}];
    if (method !== 'POST' && !this.passwords.has(name)) return [404, {}];
    if (method === 'POST') this.passwords.set(name, form.get('password') ?? '');
    if (method === 'POST') return [entry === '' ? 201 : 200, {}];
    if (method === 'DELETE') return [this.passwords.delete(name) ? 200 : 404, {}];
    return [200, { entry: [{ content: { clear_password: this.passwords.get(name) } }] }];
  }
}

function destroy(socket: Socket): void {
  socket.resetAndDestroy();
}

describe('calls to the platform', () => {
  let platform: Platform;
  let client: SplunkdClient;
  let stop: () => Promise<void>;
  const records = () => splunkdRecords(client, 'token');
  const secrets = () => splunkdSecrets(client, 'token');
  beforeEach(async () => {
    platform = new Platform();
    const { port, close } = await listen(platform.server);
    stop = close;
    client = new SplunkdClient(`http://127.0.0.1:${port}`);
    // A kept connection: only such a one may be reset without anybody's fault.
    await records().get('c', 'warm-up');
    platform.calls.length = 0;
  });
  afterEach(() => stop());

  const once = (how: 'before' | 'after') => (_call: string, n: number) => (n === 1 ? how : undefined);

  for (const how of ['before', 'after'] as const) {
    it(`an insert whose connection is reset ${how} its work is one insert, and ours`, async () => {
      platform.reset = once(how);
      const doc = { _key: 'k', text: 'mine', gone: undefined };
      expect(await records().insert('c', doc)).to.equal(true);
      expect(platform.documents.size).to.equal(1);
    });

    it(`a secret whose connection is reset ${how} its work is there once, whole`, async () => {
      platform.reset = once(how);
      const value = 'x'.repeat(1000);
      const ref = secrets().reference('things', value);
      await secrets().put(ref, value);
      expect(await secrets().get(ref)).to.equal(value);
      expect(await secrets().remove(ref)).to.equal(true);
      expect(platform.passwords.size).to.equal(0);
    });

    it(`a lookup file is deleted, although the connection is reset ${how} the work`, async () => {
      platform.documents.set('model.onnx', '{}');
      platform.reset = once(how);
      const file = { name: 'model.onnx', app: 'a', owner: 'ann', sharing: 'user', canWrite: true, path: '' } as const;
      const lookups = splunkdLookups(client, 'token', '/nowhere');
      expect(await lookups.remove(file)).to.equal(true);
      expect(platform.documents.has('model.onnx')).to.equal(false);
      expect(await lookups.remove(file)).to.equal(false);
    });

    it(`reads and deletions are asked again (${how})`, async () => {
      await records().insert('c', { _key: 'k' });
      platform.reset = once(how);
      expect(await records().get('c', 'k')).to.deep.equal({ _key: 'k' });
      await records().remove('c', 'k');
      expect(platform.documents.size).to.equal(0);
    });

    it(`any other POST is not (${how})`, async () => {
      platform.reset = once(how);
      const call = client.call({
        method: 'POST',
        endpoint: 'storage/passwords',
        token: 't',
        namespace: 'app',
        form: { name: 'n' },
      });
      expect((await faultOf(call)).code).to.equal('store_unavailable');
      expect(platform.calls).to.deep.equal(['POST passwords']);
    });
  }

  it("an insert that is refused for somebody else's document stays refused when nothing was reset", async () => {
    platform.documents.set('k', JSON.stringify({ _key: 'k', text: 'theirs' }));
    expect(await records().insert('c', { _key: 'k', text: 'mine' })).to.equal(false);
    expect(platform.documents.get('k')).to.include('theirs');
  });

  const others = {
    removed: () => platform.documents.delete('k'),
    changed: () => platform.documents.set('k', JSON.stringify({ _key: 'k', text: 'changed' })),
  };
  for (const [what, meddle] of Object.entries(others)) {
    it(`an insert that was reset after its work, and ${what} by others since, is neither done nor refused`, async () => {
      platform.reset = (call, n) => {
        if (!call.startsWith('POST')) {
          meddle();
          return undefined;
        }
        return n === 1 ? 'after' : undefined;
      };
      const fault = await faultOf(records().insert('c', { _key: 'k', text: 'mine' }));
      expect(fault).to.be.instanceOf(InsertUnclear);
      expect(fault.code).to.equal('store_unavailable');
    });
  }

  it('a connection that is reset every time is a fault, not a loop', async () => {
    platform.reset = () => 'before';
    expect((await faultOf(records().get('c', 'k'))).code).to.equal('store_unavailable');
    expect(platform.calls.length).to.be.at.most(2);
  });

  it('a replacement is asked whether it is in time when its connection stands, each time that it is sent', async () => {
    await records().insert('c', { _key: 'k', n: 1 });
    let asked = 0;
    const late = new Fault('store_unavailable', 'too late');
    const assertInTime = () => {
      asked += 1;
      if (asked === 2) throw late;
    };
    platform.reset = once('before');
    expect(await faultOf(records().replace('c', { _key: 'k', n: 2 }, assertInTime))).to.equal(late);
    expect(asked).to.equal(2);
    expect(platform.documents.get('k')).to.include('"n":1');
  });

  it('the same over a connection that has to be made first', async () => {
    await records().insert('c', { _key: 'k', n: 1 });
    const { port } = platform.server.address() as { port: number };
    const fresh = splunkdRecords(new SplunkdClient(`http://127.0.0.1:${port}`), 'token');
    let connected = false;
    platform.server.once('connection', () => {
      connected = true;
    });
    let sawConnection: boolean | undefined;
    await fresh.replace('c', { _key: 'k', n: 2 }, () => {
      sawConnection = connected;
    });
    expect(platform.documents.get('k')).to.include('"n":2');
    expect(sawConnection).to.equal(true);
  });

  it('the parts of a large secret travel side by side, a bounded number at a time', async () => {
    platform.delayMs = 40;
    const value = 'k'.repeat(60_000);
    const ref = secrets().reference('things', value);
    const parts = Number(ref.split('~')[1]);
    expect(parts).to.be.greaterThan(300);
    const started = performance.now();
    await secrets().put(ref, value);
    // One after the other they would take this long at least.
    expect(performance.now() - started).to.be.lessThan((parts * 40) / 3);
    expect(platform.most).to.be.within(4, 16);
    expect(await secrets().get(ref)).to.equal(value);
    expect(await secrets().remove(ref)).to.equal(true);
    expect(await secrets().remove(ref), 'nothing was there any more').to.equal(false);
    expect(platform.passwords.size).to.equal(0);
  });

  it('a removal begins nothing more once it is over', async () => {
    const value = 'k'.repeat(60_000);
    const ref = secrets().reference('things', value);
    await secrets().put(ref, value);
    await secrets().remove(ref, () => platform.calls.filter((call) => call.startsWith('DELETE')).length >= 20);
    expect(platform.passwords.size).to.be.greaterThan(200);
  });
});
