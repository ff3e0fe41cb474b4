import { expect } from 'chai';
import { startFixture, type TestPlatform } from '../support/platform.ts';
import { recordedFacts } from './recorded.ts';

const recorded = recordedFacts<{
  '6.0.4.1 (recordings of splunk-sdk-csharp-pcl, XML; JSON types do not apply)': {
    entry_names: [realm: string | null, name: string, entry: string][];
    entry_ids: [entry: string, path: string][];
  };
}>('passwords.json');
const { entry_names, entry_ids } =
  recorded['6.0.4.1 (recordings of splunk-sdk-csharp-pcl, XML; JSON types do not apply)'];

const PASSWORDS = '/servicesNS/nobody/search/storage/passwords';

describe('embedded platform: recorded answers about passwords', () => {
  let platform: TestPlatform;
  let stop: () => Promise<void>;
  before(async () => {
    ({ platform, stop } = await startFixture());
  });
  after(() => stop());

  const call = (method: string, path: string, form?: Record<string, string>) =>
    platform.call(method, `${path}?output_mode=json`, form === undefined ? {} : { form });

  for (const [realm, name, entryName] of entry_names) {
    it(`${realm ?? 'no realm'}, ${name}`, async () => {
      const form = { name, password: 'first', ...(realm === null ? {} : { realm }) };
      const created = await call('POST', PASSWORDS, form);
      expect(created.status).to.equal(201);
      const [entry] = created.json.entry;
      expect(entry.name).to.equal(entryName);
      expect(entry.content).to.include({ password: '********', realm: realm ?? '', username: name });
      expect(entry.content).to.have.property('encr_password').that.is.a('string');
      expect(entry.content).not.to.have.property('clear_password');
      const path = `${PASSWORDS}/${encodeURIComponent(entryName)}`;
      for (const [other, id] of entry_ids) if (other === entryName) expect(new URL(entry.id).pathname).to.equal(id);
      const clear = async () => (await call('GET', path)).json.entry[0].content.clear_password;
      expect(await clear()).to.equal('first');
      expect((await call('POST', path, { password: 'second' })).status).to.equal(200);
      expect(await clear()).to.equal('second');
      expect((await call('DELETE', path)).status).to.equal(200);
      const missing = await call('GET', path);
      expect([missing.status, missing.json.messages]).to.deep.equal([
        404,
        [{ type: 'ERROR', text: `Could not find object id=${entryName}` }],
      ]);
    });
  }
});
