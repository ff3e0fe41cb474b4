import { createServer, type Server } from 'node:http';
import { expect } from 'chai';
import { SplunkdClient } from '../../../src/adapters/splunkd/client.ts';
import { splunkdRecords } from '../../../src/adapters/splunkd/stores/recordStore.ts';
import { splunkdSecrets } from '../../../src/adapters/splunkd/stores/secretStore.ts';
import { remedyOf } from '../../../src/contract/codes/codes.ts';
import { faultOf } from '../../support/fault.ts';
import { listen } from '../../support/peers/listen.ts';

describe("states of the platform's stores", () => {
  let answer: [status: number, body: unknown];
  let client: SplunkdClient;
  let stop: () => Promise<void>;
  before(async () => {
    const server: Server = createServer((_req, res) => {
      res.writeHead(answer[0], { 'content-type': 'application/json' }).end(JSON.stringify(answer[1]));
    });
    const { port, close } = await listen(server);
    stop = close;
    client = new SplunkdClient(`http://127.0.0.1:${port}`);
  });
  after(() => stop());

  const message = (text: string) => ({ messages: [{ type: 'ERROR', text }] });
  const read = async () => faultOf(splunkdRecords(client, 'token').get('c', 'k'));

  it('have their own reason and remedy, and only what can pass says to try again', async () => {
    const states: [number, string, string | undefined][] = [
      [500, 'Unsupported Operation - KVStore disabled on instance', 'kvstore_disabled'],
      [503, 'Service Unavailable -- KV Store is initializing. Please try again later.', 'kvstore_starting'],
      [503, 'KV Store is in read-only mode. Please try again later.', 'read_only'],
      [503, 'Service Unavailable', undefined],
      [500, 'Something else', undefined],
    ];
    for (const [status, text, reason] of states) {
      answer = [status, message(text)];
      const { code, extra } = await read();
      expect([code, extra.reason], text).to.deep.equal(['store_unavailable', reason]);
      const canPass = reason === undefined || reason === 'kvstore_starting';
      expect(/try again later/i.test(remedyOf(code, reason) ?? ''), text).to.equal(canPass);
    }
  });

  it('are not blamed for a query that is refused', async () => {
    answer = [400, message('The provided query was invalid.')];
    expect((await faultOf(splunkdRecords(client, 'token').find('c', { query: {} }))).code).to.equal('internal_error');
  });

  it('say that passwords are masked, and a mask is never taken for a secret', async () => {
    for (const content of [{}, { clear_password: '********' }]) {
      answer = [200, { entry: [{ content }] }];
      const { code, extra, message: text } = await faultOf(splunkdSecrets(client, 'token').get('family.id~1'));
      expect([code, extra.reason]).to.deep.equal(['store_unavailable', 'password_masked']);
      expect(text).to.contain('view_cleartext_allowlist');
    }
    answer = [200, { entry: [{ content: { clear_password: Buffer.from('secret').toString('base64') } }] }];
    expect(await splunkdSecrets(client, 'token').get('family.id~1')).to.equal('secret');
    answer = [404, {}];
    expect(await splunkdSecrets(client, 'token').get('family.id~1')).to.equal(undefined);
  });
});
