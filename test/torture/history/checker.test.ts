import { expect } from 'chai';
import type { People } from './access.ts';
import { check } from './checker.ts';
import type { Action, Event, Outcome } from './events.ts';

const PEOPLE: People = {
  anna: { roles: ['ml_admin', 'ml_user', 'user'] },
  carl: { roles: ['readers', 'user'] },
};
const PRIVATE = { sharing: 'user', read: [], write: [] } as const;
const SHARED = { sharing: 'app', read: ['user'], write: [] } as const;

const NEVER = Number.POSITIVE_INFINITY;
let ids = 0;

/** One event of a hand-written history; `to` NEVER for what is unknown. */
function event(from: number, to: number, action: Action, outcome: Outcome, user = 'anna'): Event {
  ids += 1;
  return { id: ids, client: `c${ids}`, via: 0, user, family: 'mcp', key: 'k', action, outcome, from, to };
}
const ok = (version?: number, mark = 'm1', host = 'a'): Outcome =>
  version === undefined ? { kind: 'ok' } : { kind: 'ok', observed: { version, mark, host } };
const unknown: Outcome = { kind: 'unknown', because: 'no answer' };
const missing: Outcome = { kind: 'fail', refusal: { why: 'missing' } };
const create = (mark = 'm1', host = 'a', secret: string | null = `key-for-${host}-1`): Action => ({
  kind: 'create',
  fields: { mark, host, secret, acl: PRIVATE },
});
const update = (mark: string, condition?: number): Action => ({
  kind: 'update',
  fields: { mark },
  ...(condition === undefined ? {} : { condition }),
});
const move = (host: string, secret: string): Action => ({ kind: 'update', fields: { host, secret } });
const read: Action = { kind: 'read' };
const remove: Action = { kind: 'delete' };
const test: Action = { kind: 'test' };
const met = (host: string, secret: string): Outcome => ({ kind: 'ok', met: { host, secret } });

const findings = (...events: Event[]) => check(PEOPLE, events, []).findings;
const fine = (...events: Event[]) => expect(findings(...events).map(({ story }) => story)).to.deep.equal([]);
const wrong = (...events: Event[]) => {
  const found = findings(...events);
  expect(found, 'the fault is found').to.have.length(1);
  return found[0]?.story ?? [];
};

describe('the checker of histories', () => {
  describe('lets pass what the contract allows', () => {
    it('writes one after the other', () =>
      fine(
        event(0, 1, create(), ok(1)),
        event(2, 3, update('m2'), ok(2, 'm2')),
        event(4, 5, read, ok(2, 'm2')),
        event(6, 7, remove, ok()),
        event(8, 9, read, missing),
      ));
    it('writes at once, in either order', () =>
      fine(
        event(0, 1, create(), ok(1)),
        event(2, 9, update('m2'), ok(3, 'm2')),
        event(2, 9, update('m3'), ok(2, 'm3')),
        event(10, 11, read, ok(3, 'm2')),
      ));
    it('a write of unknown outcome that was done, or not, or is done much later', () => {
      fine(event(0, 1, create(), ok(1)), event(2, NEVER, update('m2'), unknown), event(4, 5, read, ok(2, 'm2')));
      fine(event(0, 1, create(), ok(1)), event(2, NEVER, update('m2'), unknown), event(4, 5, read, ok(1)));
      fine(
        event(0, 1, create(), ok(1)),
        event(2, NEVER, update('m2'), unknown),
        event(4, 5, read, ok(1)),
        event(6, 7, read, ok(2, 'm2')),
      );
    });
    it('a name taken again after a delete, with its versions from 1', () =>
      fine(
        event(0, 1, create(), ok(1)),
        event(2, 3, remove, ok()),
        event(4, 5, create('m9'), ok(1, 'm9')),
        event(6, 7, update('m10', 1), ok(2, 'm10')),
      ));
    it('refusals that are due', () =>
      fine(
        event(0, 1, create(), ok(1)),
        event(2, 3, create('m2'), { kind: 'fail', refusal: { why: 'taken' } }),
        event(4, 5, update('m3', 7), { kind: 'fail', refusal: { why: 'conflict', current: 1 } }),
        event(6, 7, { kind: 'update', fields: { host: 'b' } }, { kind: 'fail', refusal: { why: 'bound' } }),
        event(8, 9, read, missing, 'carl'),
      ));
  });

  describe('finds', () => {
    it('an acknowledged write that is lost', () => {
      wrong(event(0, 1, create(), ok(1)), event(2, 3, update('m2'), ok(2, 'm2')), event(4, 5, read, ok(1)));
      wrong(event(0, 1, create(), ok(1)), event(2, 3, read, missing));
    });
    it('a lost update: one version given twice', () => {
      wrong(
        event(0, 1, create(), ok(1)),
        event(2, 9, update('m2'), ok(2, 'm2')),
        event(2, 9, update('m3'), ok(2, 'm3')),
      );
    });
    it('two winners of a name', () => {
      wrong(event(0, 5, create('m1'), ok(1)), event(0, 5, create('m2'), ok(1, 'm2')));
    });
    it('a version that goes back', () => {
      wrong(
        event(0, 1, create(), ok(1)),
        event(2, 3, update('m2'), ok(2, 'm2')),
        event(4, 5, read, ok(2, 'm2')),
        event(6, 7, read, ok(1)),
      );
    });
    it('a condition that was not held', () => {
      wrong(event(0, 1, create(), ok(1)), event(2, 3, update('m2', 5), ok(2, 'm2')));
    });
    it('a refused write that was done all the same', () => {
      wrong(event(0, 1, create(), { kind: 'fail', refusal: { why: 'taken' } }), event(2, 3, read, ok(1)));
    });
    it('half of an unknown write: the new secret at the old host', () => {
      wrong(
        event(0, 1, create(), ok(1)),
        event(2, NEVER, move('b', 'key-for-b-2'), unknown),
        event(4, 5, test, met('a', 'key-for-b-2')),
      );
    });
    it('the secret of before in a test that began after', () => {
      wrong(
        event(0, 1, create(), ok(1)),
        event(2, 3, move('b', 'key-for-b-2'), ok(2, 'm1', 'b')),
        event(4, 5, test, met('a', 'key-for-a-1')),
      );
    });
    it('a deleted record that comes back', () => {
      wrong(event(0, 1, create(), ok(1)), event(2, 3, remove, ok()), event(4, 5, read, ok(1)));
    });
    it('a stored secret that was let go to another host', () => {
      wrong(event(0, 1, create(), ok(1)), event(2, 3, { kind: 'update', fields: { host: 'b' } }, ok(2, 'm1', 'b')));
    });
    it('what an access list should have hidden, and what it should not', () => {
      wrong(event(0, 1, create(), ok(1)), event(2, 3, read, ok(1), 'carl'));
      const shared: Action = { kind: 'create', fields: { mark: 'm1', host: 'a', acl: SHARED } };
      wrong(event(0, 1, shared, ok(1)), event(2, 3, read, missing, 'carl'));
    });
    it('a secret at another host, from what the hosts recorded alone', () => {
      const history = [event(0, 1, create('m1', 'a', 'key-for-a-1'), ok(1))];
      const found = (host: string, secret: string, at = 2) =>
        check(PEOPLE, history, [{ host, secret, at }]).findings.map(({ what }) => what);
      expect(found('a', 'key-for-a-1')).to.deep.equal([]);
      expect(found('b', 'key-for-a-1')[0]).to.contain('given for a');
      expect(found('a', 'key-for-a-9')[0]).to.contain('nobody sent');
      expect(found('a', 'key-for-a-1', -5)[0]).to.contain('before it was sent');
    });
  });

  it('tells the story up to the answer that contradicts it', () => {
    const story = wrong(
      event(0, 1, create(), ok(1)),
      event(2, 3, update('m2'), ok(2, 'm2')),
      event(4, 5, read, ok(1)),
      event(6, 7, update('m5'), ok(3, 'm5')),
    );
    expect(story, story.join('\n')).to.have.length(3);
    expect(story[1]).to.contain('update m2');
    expect(story[2]).to.contain('read -> ok, version 1');
  });
});
