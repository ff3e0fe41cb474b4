import { Fault } from '../../../contract/codes/faults.ts';
import { OutboundError } from '../../../contract/codes/outbound.ts';
import { stringifyWellFormed } from '../../../contract/exactJson.ts';
import { checkBody, type Outgoing } from '../../../masking/checkedBody.ts';
import type { EmbeddedDocument } from '../../../ports/knowledge/documents.ts';
import { SqlRefusal, type SqlSession } from '../../../ports/knowledge/sqlServers.ts';
import { type PassageTable, type WriteFailure, writtenPassages } from '../external/passages.ts';
import type { SqlValue } from './statement.ts';
import { assertLength, describeTable, type PgDetails, type Table, vectorText } from './table.ts';

/** Classes of SQLSTATE that a document's own values cause, or columns that the app does not know. */
const OWN_FAULTS = /^(?:22|23|42)/;
const UNIQUE_VIOLATION = '23505';
// A text of PostgreSQL has no NUL.
const NUL = String.fromCharCode(0);

/** A table, as documents are written into it. @throws Fault `kb_not_found`, `configuration_invalid`; OutboundError */
export async function openTable(session: SqlSession, details: PgDetails): Promise<PassageTable> {
  const table = await describeTable(session, details);
  if (!table.hasTextIds) {
    const message = `Passages are written under ids such as "runbook#0", but the column ${details.id_column} holds no texts`;
    throw new Fault('configuration_invalid', message);
  }
  return {
    async present(keys) {
      const statement = `SELECT ${table.id}::text AS id FROM ${table.name} WHERE ${table.id} = ANY ($1::text[])`;
      const rows = await session.query(statement, [keys]);
      return new Set(rows.map(({ id }) => id ?? ''));
    },
    replace: (document, owned) => replaceRows(session, table, details, document, owned),
    async remove(keys) {
      if (keys.length > 0) await session.query(removal(table), [keys]);
    },
  };
}

const removal = ({ name, id }: Table): string => `DELETE FROM ${name} WHERE ${id} = ANY ($1::text[])`;

/** One transaction: whoever reads finds the old rows or the new ones. */
async function replaceRows(
  session: SqlSession,
  table: Table,
  details: PgDetails,
  document: Outgoing<EmbeddedDocument>,
  owned: readonly string[],
): Promise<WriteFailure | undefined> {
  const passages = writtenPassages(document);
  for (const { vector } of passages) assertLength(table, details, vector);
  const keys = passages.map(({ key }) => key);
  const facts = stringifyWellFormed(document.metadata);
  const columns = [table.id, table.text, table.vector, ...(table.metadata ? [table.metadata.column] : [])];
  const metadata = table.metadata ? `, $4::${table.metadata.type}` : '';
  const values: SqlValue[] = [
    keys,
    passages.map(({ text }) => text),
    passages.map(({ vector }) => vectorText(vector)),
    ...(table.metadata ? [facts] : []),
  ];
  checkBody(document, () => JSON.stringify([keys, values[1], facts]));
  if (JSON.stringify([keys, values[1], facts]).includes('\\u0000') || facts.includes(NUL)) {
    return {
      code: 'bad_request',
      message: 'PostgreSQL holds no text with a NUL character; remove it from the document',
    };
  }
  const insertion = `INSERT INTO ${table.name} (${columns.join(', ')})
SELECT id, text, vector::${table.vectorType}${metadata}
FROM unnest($1::text[], $2::text[], $3::text[]) AS passages (id, text, vector)`;
  await session.query('BEGIN');
  try {
    await session.query(removal(table), [[...new Set([...keys, ...owned])]]);
    if (keys.length > 0) await session.query(insertion, values);
    await session.query('COMMIT');
    return undefined;
  } catch (error) {
    await rollBack(session, error);
    if (!(error instanceof SqlRefusal) || !OWN_FAULTS.test(error.state)) throw error;
    return { code: error.state === UNIQUE_VIOLATION ? 'already_exists' : 'bad_request', message: error.message };
  }
}

/** A connection that is lost has rolled back by itself. */
async function rollBack(session: SqlSession, reason: unknown): Promise<void> {
  try {
    await session.query('ROLLBACK');
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    throw reason;
  }
}
