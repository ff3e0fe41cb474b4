import { expect } from 'chai';
import fc from 'fast-check';
import type { Acl } from '../../../src/contract/schemas/common.ts';
import { changedAcl, mayRead, mayWrite, newAcl } from '../../../src/domain/access/acl.ts';
import { caller } from '../../support/memory/platform.ts';
import { holds } from '../../support/property.ts';

const ROLES = ['user', 'power', 'editors', 'readers'];
const roles = fc.uniqueArray(fc.constantFrom(...ROLES, '*'), { maxLength: 3 });
const acl: fc.Arbitrary<Acl> = fc.record({
  owner: fc.constantFrom('ann', 'ben'),
  sharing: fc.constantFrom('user', 'app', 'global'),
  perms: fc.record({ read: roles, write: roles }),
});
const own = fc.uniqueArray(fc.constantFrom(...ROLES), { maxLength: 4 });
const person = fc.tuple(fc.constantFrom('ann', 'ben', 'cat'), own).map(([name, mine]) => caller(name, { roles: mine }));
const admin = caller('root', { roles: ['admin'], capabilities: ['admin_all_objects'] });

describe('access lists, for any list and caller', () => {
  it('write implies read; an owner and an administrator may do both', () => {
    holds(
      fc.property(person, acl, (who, list) => {
        if (mayWrite(who, { acl: list })) expect(mayRead(who, { acl: list })).to.equal(true);
        expect(mayRead(caller(list.owner), { acl: list }) && mayWrite(caller(list.owner), { acl: list })).to.equal(
          true,
        );
        expect(mayRead(admin, { acl: list }) && mayWrite(admin, { acl: list })).to.equal(true);
      }),
    );
  });
  it('sharing user is for the owner alone', () => {
    holds(
      fc.property(person, acl, (who, list) => {
        const mine = { ...list, sharing: 'user' as const };
        expect(mayRead(who, { acl: mine })).to.equal(who.user === list.owner);
      }),
    );
  });
  it('app and global are the same, and the order of roles says nothing', () => {
    holds(
      fc.property(person, acl, (who, list) => {
        const { read, write } = list.perms;
        const turned = { read: read.toReversed(), write: write.toReversed() };
        const [one, other] = [
          { ...list, sharing: 'app' as const },
          { ...list, sharing: 'global' as const, perms: turned },
        ];
        expect(mayRead(who, { acl: one })).to.equal(mayRead(who, { acl: other }));
        expect(mayWrite(who, { acl: one })).to.equal(mayWrite(who, { acl: other }));
      }),
    );
  });
  it('one more role of the caller or of the list never takes a right away', () => {
    holds(
      fc.property(person, acl, fc.constantFrom(...ROLES), (who, list, role) => {
        const richer = { ...who, roles: [...who.roles, role] };
        const wider = { ...list, perms: { read: [...list.perms.read, role], write: list.perms.write } };
        if (!mayRead(who, { acl: list })) return;
        expect(mayRead(richer, { acl: list })).to.equal(true);
        expect(mayRead(who, { acl: wider })).to.equal(true);
      }),
    );
  });
  it('sending back the list of a read changes nothing', () => {
    holds(
      fc.property(person, acl, (who, list) => {
        expect(changedAcl(who, list, structuredClone(list))).to.deep.equal(list);
      }),
    );
  });
  it('nobody but an administrator makes a record somebody else’s', () => {
    holds(
      fc.property(person, acl, (who, list) => {
        let made: Acl;
        try {
          made = newAcl(who, list);
        } catch {
          return;
        }
        expect(made.owner).to.equal(who.user);
      }),
    );
  });
});
