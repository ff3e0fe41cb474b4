import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { sqlite } from '../sqlite.ts';

/** How words become terms. */
export const TOKENIZER = 'porter unicode61';

interface Splitter {
  database: DatabaseSync;
  insert: StatementSync;
  read: StatementSync;
}

let splitter: Splitter | undefined;

function open(): Splitter {
  if (splitter) return splitter;
  const database = new (sqlite().DatabaseSync)(':memory:');
  database.exec(
    `CREATE VIRTUAL TABLE words USING fts5(word, tokenize='${TOKENIZER}'); CREATE VIRTUAL TABLE terms USING fts5vocab(words, instance)`,
  );
  const insert = database.prepare('INSERT INTO words(rowid, word) VALUES (?, ?)');
  splitter = { database, insert, read: database.prepare('SELECT doc, term FROM terms') };
  return splitter;
}

/** The terms of each word, as SQLite itself makes them. */
export function termsOf(words: readonly string[]): string[][] {
  const { database, insert, read } = open();
  const terms: string[][] = words.map(() => []);
  database.exec('BEGIN');
  try {
    for (const [index, word] of words.entries()) insert.run(index + 1, word);
    for (const row of read.iterate()) terms[Number(row.doc) - 1]?.push(String(row.term));
  } finally {
    database.exec('ROLLBACK');
  }
  return terms;
}
