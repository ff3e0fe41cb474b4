import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { Stanza } from '../../confs/conf.ts';
import { isPlain, ODD, shapeSql } from './sqlShapes.ts';

/** The fields of one `accelerated_fields.<name>`, in order. */
export type Acceleration = string[];

/** Field names that need no quoting in SQL; others are not accelerated. */
const PLAIN = /^[A-Za-z][A-Za-z0-9_]*$/;
/** limits.conf [kvstore] max_accelerations_per_collection and max_fields_per_acceleration. */
const MAX = 10;

/** The accelerations of a collections.conf stanza. Ignores invalid ones, as splunkd does. */
export function accelerationsOf(stanza: Stanza): Acceleration[] {
  const accelerations: Acceleration[] = [];
  for (const [name, text] of Object.entries(stanza)) {
    if (!name.startsWith('accelerated_fields.')) continue;
    try {
      const fields = Object.keys(JSON.parse(text) as object);
      if (fields.length > 0 && fields.length <= MAX && fields.every((field) => PLAIN.test(field)))
        accelerations.push(fields);
    } catch {
      // Not JSON.
    }
  }
  return accelerations.slice(0, MAX);
}

/** The SQL value of a field, exactly as in the index: SQLite matches expressions by their text. */
export const fieldSql = (field: string): string => `json_extract(doc, '$."${field}"')`;

const indexName = (id: number, fields: Acceleration): string => `acc_${id}_${fields.join('__')}`;
const shapeName = (id: number, fields: readonly string[]): string => `acc_${id}_shape__${fields.join('__')}`;

/**
 * SQLite compares texts and numbers as the platform's store does, and membership in an array of texts (`containsSql`).
 * A second index lists documents whose accelerated fields hold anything else; it decides which searches SQL alone can
 * answer.
 */
const shapedSql = (id: number, fields: readonly string[]): string => `coll = ${id} AND ${shapeSql(fields)} IS NOT NULL`;

/** Tests whether a field equals this text or is an array that contains it. */
export function containsSql(field: string, text: string): { sql: string; params: string[] } | undefined {
  // Text that could span two array elements, or look like a whole array.
  if (/[,[]/.test(text) || !isPlain(text)) return undefined;
  const value = fieldSql(field);
  return { sql: `(${value} = ? OR (instr(${value}, ?) AND ${value} GLOB '[[]*'))`, params: [text, `"${text}"`] };
}

/** The indexes of collections with accelerated fields. */
export class Accelerator {
  readonly #db: DatabaseSync;
  /** Collection id -> definition of its indexes. */
  readonly #made = new Map<number, string>();

  constructor(db: DatabaseSync) {
    this.#db = db;
  }

  /** Creates the indexes when the collection is first used or its conf has changed. */
  prepare(id: number, list: readonly Acceleration[]): void {
    const definition = JSON.stringify(list);
    if (this.#made.get(id) === definition) return;
    const fields = fieldsOf(list);
    const indexes = new Map(
      list.map((acceleration) => [
        indexName(id, acceleration),
        `ON docs (user, ${acceleration.map(fieldSql).join(', ')}, key) WHERE coll = ${id}`,
      ]),
    );
    if (list.length > 0) {
      indexes.set(shapeName(id, fields), `ON docs (${shapeSql(fields)}) WHERE ${shapedSql(id, fields)}`);
    }
    const existing = this.#db
      .prepare("SELECT name FROM sqlite_master WHERE type = 'index' AND name GLOB ?")
      .all(`acc_${id}_*`) as { name: string }[];
    for (const { name } of existing) if (!indexes.has(name)) this.#db.exec(`DROP INDEX ${name}`);
    for (const [name, sql] of indexes) this.#db.exec(`CREATE INDEX IF NOT EXISTS ${name} ${sql}`);
    this.#made.set(id, definition);
  }

  /** True if every document compares as in SQLite and none has an array in these fields. */
  canAnswer(id: number, list: readonly Acceleration[], scalars: readonly string[]): boolean {
    this.prepare(id, list);
    const fields = fieldsOf(list);
    const [shape, index] = [shapeSql(fields), shapeName(id, fields)];
    // Skips to the next of the few distinct shapes.
    const next = this.#db.prepare(`SELECT ${shape} AS shape FROM docs INDEXED BY ${index}
      WHERE ${shapedSql(id, fields)} AND ${shape} > ? ORDER BY ${shape} LIMIT 1`);
    for (let last = ''; ; ) {
      const document = next.get(last) as { shape: string } | undefined;
      if (!document) return true;
      if (document.shape === ODD || document.shape.split(',').some((field) => scalars.includes(field))) return false;
      last = document.shape;
    }
  }
}

const fieldsOf = (list: readonly Acceleration[]): string[] => [...new Set(list.flat())];

/** A search that SQLite answers from one index, with the store's exact semantics. */
export interface IndexPlan {
  acceleration: Acceleration;
  /** Fields that are sorted or compared by size, which SQL does right only if no document has an array there. */
  scalars: readonly string[];
  where: string;
  params: SQLInputValue[];
  /** Undefined = the order of the index. */
  orderBy: string | undefined;
}

export function planSql(id: number, plan: IndexPlan, columns: string): string {
  return `SELECT ${columns} FROM docs INDEXED BY ${indexName(id, plan.acceleration)}
    WHERE coll = ${id} AND user = ? AND ${plan.where}${plan.orderBy === undefined ? '' : ` ORDER BY ${plan.orderBy}`} LIMIT ? OFFSET ?`;
}
