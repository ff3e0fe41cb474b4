import type { DatabaseSync, StatementSync } from 'node:sqlite';

export type Statements = Record<
  | 'get'
  | 'bySeq'
  | 'insert'
  | 'replace'
  | 'save'
  | 'remove'
  | 'removeAll'
  | 'removeSeqs'
  | 'drop'
  | 'addCollection'
  | 'collection',
  StatementSync
>;

/** Prepared once, since every request uses them. */
export function statements(db: DatabaseSync): Statements {
  const row = 'coll = ? AND user = ? AND key = ?';
  return {
    get: db.prepare(`SELECT seq, user, key, doc FROM docs WHERE ${row}`),
    bySeq: db.prepare('SELECT seq, user, key, doc FROM docs WHERE seq = ?'),
    insert: db.prepare('INSERT INTO docs (coll, user, key, doc) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING'),
    replace: db.prepare(`UPDATE docs SET doc = ? WHERE ${row}`),
    save: db.prepare(
      'INSERT INTO docs (coll, user, key, doc) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET doc = excluded.doc',
    ),
    remove: db.prepare(`DELETE FROM docs WHERE ${row}`),
    removeAll: db.prepare('DELETE FROM docs WHERE coll = ? AND user = ?'),
    removeSeqs: db.prepare('DELETE FROM docs WHERE seq IN (SELECT value FROM json_each(?))'),
    drop: db.prepare('DELETE FROM docs WHERE coll = ?'),
    addCollection: db.prepare('INSERT INTO collections (app, name) VALUES (?, ?) ON CONFLICT DO NOTHING'),
    collection: db.prepare('SELECT id FROM collections WHERE app = ? AND name = ?'),
  };
}
