import { expect } from 'chai';
import { SearchJobs } from '../support/searchJobs.ts';

describe('embedded platform: messages', () => {
  const { call } = new SearchJobs({ users: { plain: 'user' } });
  const post = (form: Record<string, string>, as?: string) =>
    call('POST', '/services/messages?output_mode=json', { form, ...(as ? { as } : {}) });
  const named = async (as?: string) => {
    const { json } = await call('GET', '/services/messages?output_mode=json&count=0', as ? { as } : {});
    return json.entry.map(({ name, content }: { name: string; content: { message: string } }) => [
      name,
      content.message,
    ]);
  };
  const PLAIN = 'plain:changed-it';

  it('are seen by whoever has the capabilities and a role, and replaced by name', async () => {
    const made = await post({ name: 'one', value: 'for all' });
    expect(made.status, made.text).to.equal(201);
    await post({ name: 'two', value: 'for administrators', severity: 'warn', capability: 'admin_all_objects' });
    await post({ name: 'three', value: 'for a role', role: 'user' });
    expect(await named()).to.deep.include(['two', 'for administrators']);
    expect(await named(PLAIN)).to.deep.equal([
      ['one', 'for all'],
      ['three', 'for a role'],
    ]);
    await post({ name: 'one', value: 'again' });
    expect(await named(PLAIN)).to.deep.equal([
      ['one', 'again'],
      ['three', 'for a role'],
    ]);
    expect((await call('DELETE', '/services/messages/one?output_mode=json')).status).to.equal(200);
    expect(await named(PLAIN)).to.deep.equal([['three', 'for a role']]);
  });

  it('need a text, a known severity, known capabilities and roles, and the right to write', async () => {
    for (const more of [{ value: '' }, { severity: 'loud' }, { capability: 'none' }, { role: 'none' }]) {
      expect((await post({ name: 'x', value: 'y', ...more })).status, JSON.stringify(more)).to.equal(400);
    }
    const refused = await post({ name: 'x', value: 'y' }, PLAIN);
    expect(refused.status).to.equal(403);
  });
});
