import { expect } from 'chai';
import { Fault } from '../../../src/contract/codes/faults.ts';
import type { Acl } from '../../../src/contract/schemas/common.ts';
import { assertMay, changedAcl, mayRead, mayWrite, newAcl } from '../../../src/domain/access/acl.ts';
import { faultOf } from '../../support/fault.ts';
import { caller } from '../../support/memory/platform.ts';

const owner = caller('owner');
const other = caller('other', { roles: ['user', 'power'] });
const admin = caller('root', { roles: ['admin'], capabilities: ['admin_all_objects'] });
const acl = (sharing: Acl['sharing'], read: string[] = [], write: string[] = []): Acl => ({
  owner: 'owner',
  sharing,
  perms: { read, write },
});
const rights = (who: typeof owner, rule: Acl) => [mayRead(who, { acl: rule }), mayWrite(who, { acl: rule })];

describe('record ACL', () => {
  it('sharing user: the owner alone, whatever perms say', () => {
    const rule = acl('user', ['*', 'power'], ['*', 'power']);
    expect(rights(owner, rule)).to.deep.equal([true, true]);
    expect(rights(other, rule)).to.deep.equal([false, false]);
  });

  it('sharing app and global: perms decide, by role or *', () => {
    for (const sharing of ['app', 'global'] as const) {
      expect(rights(other, acl(sharing))).to.deep.equal([false, false]);
      expect(rights(other, acl(sharing, ['power']))).to.deep.equal([true, false]);
      expect(rights(other, acl(sharing, ['*']))).to.deep.equal([true, false]);
      expect(rights(other, acl(sharing, ['admin']))).to.deep.equal([false, false]);
      expect(rights(owner, acl(sharing))).to.deep.equal([true, true]);
    }
  });

  it('write implies read', () => {
    expect(rights(other, acl('app', [], ['power']))).to.deep.equal([true, true]);
    expect(rights(other, acl('app', [], ['*']))).to.deep.equal([true, true]);
  });

  it('admin_all_objects passes', () => {
    expect(rights(admin, acl('user'))).to.deep.equal([true, true]);
  });

  it('a user name is no role and a role no user name', () => {
    expect(rights(caller('power', { roles: [] }), acl('app', ['power'], ['power']))).to.deep.equal([false, false]);
    expect(rights(caller('x', { roles: ['owner'] }), acl('app'))).to.deep.equal([false, false]);
  });

  it('what may not be read is not found, what may be read but not written is denied', async () => {
    const missing = () => new Fault('not_found', 'no such thing');
    const hidden = await faultOf(() => assertMay(other, 'write', { acl: acl('user') }, missing));
    expect([hidden.status, hidden.code]).to.deep.equal([404, 'not_found']);
    const readable = { acl: acl('app', ['*']) };
    const denied = await faultOf(() => assertMay(other, 'write', readable, missing));
    expect([denied.status, denied.code]).to.deep.equal([403, 'acl_denied']);
    assertMay(other, 'read', readable, missing);
  });

  it('a new record belongs to its creator alone', () => {
    expect(newAcl(owner, undefined)).to.deep.equal(acl('user'));
    expect(newAcl(owner, { sharing: 'app', perms: { read: ['*'] } })).to.deep.equal(acl('app', ['*']));
  });

  it('only an administrator names another owner', async () => {
    expect((await faultOf(() => newAcl(owner, { owner: 'other' }))).code).to.equal('acl_denied');
    expect(newAcl(admin, { owner: 'other' }).owner).to.equal('other');
    expect((await faultOf(() => changedAcl(owner, acl('user'), { owner: 'other' }))).code).to.equal('acl_denied');
    expect(changedAcl(admin, acl('user'), { owner: 'other' }).owner).to.equal('other');
  });

  it('only the owner or an administrator changes it; a writer does not, not even to make it his own', async () => {
    const rule = acl('app', ['*'], ['power']);
    for (const input of [{ owner: 'other' }, { sharing: 'user' as const }, { perms: { write: ['*'] } }]) {
      expect((await faultOf(() => changedAcl(other, rule, input))).code).to.equal('acl_denied');
    }
    expect(changedAcl(owner, rule, { sharing: 'user' }).sharing).to.equal('user');
    expect(changedAcl(admin, rule, { perms: { read: [] } }).perms).to.deep.equal({ read: [], write: ['power'] });
  });

  it('values that are there already are no change', () => {
    const rule = acl('app', ['a', 'b'], ['power']);
    expect(
      changedAcl(other, rule, { owner: 'owner', sharing: 'app', perms: { read: ['b', 'a', 'a'] } }).owner,
    ).to.equal('owner');
    expect(changedAcl(other, rule, undefined)).to.equal(rule);
    expect(changedAcl(other, rule, {})).to.deep.equal(rule);
  });
});
