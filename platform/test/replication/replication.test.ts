import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { assert } from 'chai';
import { PasswordStore } from '../../src/passwords/store.ts';
import { ReplicatedFiles } from '../../src/replication/files.ts';
import type { Change, Journal, Page } from '../../src/replication/journal.ts';
import { temporaryFolder, writeFiles } from '../support/platform.ts';

const ID = { app: 'a', realm: 'r', name: 'n' };
const CONF = 'etc/apps/a/local/x.conf';

describe('journal of a member', () => {
  let home: string;
  let store: PasswordStore;
  let journal: Journal;
  let files: ReplicatedFiles;
  const open = (member: number | undefined = 1): void => {
    store = new PasswordStore(home, member);
    if (store.journal !== undefined) journal = store.journal;
    files = new ReplicatedFiles(home, journal);
  };
  const scan = () => store.transaction(() => files.scan());
  const all = (): Page => journal.after('', 0, 0);
  const short = () => all().changes.map(({ kind, key, value }) => [kind, key, value]);

  beforeEach(() => {
    home = temporaryFolder();
    open();
  });
  afterEach(() => {
    store.close();
    rmSync(home, { recursive: true, force: true });
  });

  it('has an entry for each changed password, none for refused changes', () => {
    assert.isTrue(store.insert(ID, 'one'));
    assert.isFalse(store.insert(ID, 'two'));
    assert.isTrue(store.replace(ID, 'three'));
    assert.isFalse(store.replace({ ...ID, name: 'none' }, 'x'));
    assert.isTrue(store.remove(ID));
    assert.isFalse(store.remove(ID));
    const { changes } = all();
    assert.deepEqual(
      changes.map(({ value }) => value?.slice(0, 3) ?? null),
      ['$7$', '$7$', null],
    );
    assert.isTrue(changes.every(({ at }, index) => index === 0 || at > (changes[index - 1]?.at ?? 0)));
    assert.notInclude(JSON.stringify(changes), 'three');
  });

  it('returns only entries older than the delay, and starts over for readers of another journal', () => {
    store.insert(ID, 'one');
    assert.lengthOf(journal.after('', 0, 60_000).changes, 0);
    const { journal: id, changes } = all();
    const [change] = changes;
    assert.lengthOf(journal.after(id, change?.seq ?? 0, 0).changes, 0);
    assert.lengthOf(journal.after('another', change?.seq ?? 0, 0).changes, 1);
  });

  it('records changes made while the home was not a member', () => {
    store.insert(ID, 'one');
    store.insert({ ...ID, name: 'gone' }, 'two');
    store.close();
    const alone = new PasswordStore(home);
    alone.replace(ID, 'three');
    alone.insert({ ...ID, name: 'new' }, 'four');
    alone.remove({ ...ID, name: 'gone' });
    alone.close();
    open();
    const last = new Map(all().changes.map(({ key, value }) => [key, value]));
    assert.strictEqual(all().changes.length, 5);
    assert.strictEqual(last.get(JSON.stringify(['a', 'r', 'gone'])), null);
    assert.strictEqual(last.get(JSON.stringify(['a', 'r', 'n'])), store.get(ID)?.sealed);
    store.close();
    open();
    assert.strictEqual(all().changes.length, 5);
  });

  it('finds changed stanzas in files, whoever wrote them', () => {
    writeFiles(home, {
      [CONF]: '[one]\na = 1\n[two]\nb = 2\n',
      'etc/apps/a/metadata/local.meta': '[x/one]\naccess = read : [ * ]\n',
      'etc/apps/a/lookups/m.csv': 'a,b\n',
      'etc/users/u/a/lookups/own.csv': 'c\n',
      // None of these is shared.
      'etc/system/local/server.conf': '[general]\nserverName = x\n',
      'etc/apps/a/default/x.conf': '[shipped]\n',
      'etc/apps/a/lookups/.m.csv.1.tmp': 'half',
      'etc/apps/a/local/x.conf.1.2.tmp': '[half]\n',
    });
    scan();
    const found = short();
    assert.sameDeepMembers(
      found.map(([kind, key]) => `${kind} ${key}`),
      [
        `stanza ${JSON.stringify([CONF, 'one'])}`,
        `stanza ${JSON.stringify([CONF, 'two'])}`,
        'stanza ["etc/apps/a/metadata/local.meta","x/one"]',
        'lookup etc/apps/a/lookups/m.csv',
        'lookup etc/users/u/a/lookups/own.csv',
      ],
    );
    scan();
    assert.lengthOf(all().changes, 5);
    writeFileSync(join(home, CONF), '[two]\nb = 3\n');
    rmSync(join(home, 'etc/apps/a/lookups/m.csv'));
    scan();
    assert.sameDeepMembers(short().slice(5), [
      ['stanza', JSON.stringify([CONF, 'one']), null],
      ['stanza', JSON.stringify([CONF, 'two']), '{"b":"3"}'],
      ['lookup', 'etc/apps/a/lookups/m.csv', null],
    ]);
    rmSync(join(home, 'etc/apps/a'), { recursive: true });
    scan();
    assert.strictEqual(all().changes.at(-1)?.value, null);
  });

  it("applies another member's changes without passing them on as its own", () => {
    writeFiles(home, { [CONF]: '[mine]\na = 1\n' });
    scan();
    const change: Change = { seq: 9, kind: 'stanza', key: JSON.stringify([CONF, 'theirs']), value: '{"b":"2"}', at: 5 };
    assert.isTrue(journal.isNews(change, 2));
    journal.announce(change, 2);
    files.writeStanza(change.key, change.value);
    // A kill here leaves the announcement, and the next scan finds the file changed.
    store.close();
    open();
    scan();
    assert.deepEqual(
      all().changes.map(({ key }) => key),
      [JSON.stringify([CONF, 'mine'])],
    );
    assert.isFalse(journal.isNews(change, 2));
    assert.isTrue(journal.isNews({ ...change, at: 6 }, 2));
    assert.isTrue(journal.isNews(change, 3));
    assert.include(readFileSync(join(home, CONF), 'utf8'), '[mine]');
  });

  it('writes only to files that members share', () => {
    for (const key of [
      '["etc/auth/x.conf","s"]',
      '["etc/apps/../local/x.conf","s"]',
      '["etc/system/local/server.conf","s"]',
    ]) {
      assert.throws(() => files.writeStanza(key, '{}'), /not a conf file/);
    }
    for (const path of ['etc/auth/splunk.secret', 'etc/apps/a/lookups/../x', 'etc/apps/../lookups/x']) {
      assert.throws(() => files.writeLookup(path, Buffer.from('x')), /not a lookup file/);
      assert.throws(() => files.readLookup(path), /not a lookup file/);
    }
    assert.isFalse(existsSync(join(home, 'etc/auth/x.conf')));
  });

  it('prunes superseded entries once the others must have the newer ones', () => {
    const real = Date.now;
    try {
      store.insert(ID, 'one');
      store.remove(ID);
      journal.prune();
      assert.lengthOf(all().changes, 2);
      Date.now = () => real() + 200_000;
      journal.prune();
      assert.deepEqual(
        all().changes.map(({ value }) => value),
        [null],
      );
    } finally {
      Date.now = real;
    }
  });
});
