import { Type } from 'typebox';
import { compileRows, type TableRow } from '../../src/codegen/bundle/compile.ts';
import type { CompiledRow } from '../../src/contract/rows/compiled.ts';

/** A row of no meaning; what a test is about is given. */
export const row = (more: Partial<TableRow>): TableRow => ({
  id: 'thing',
  family: 'things',
  method: 'POST',
  path: '/ml/thing',
  summary: 'A thing.',
  gate: 'session',
  reply: Type.Object({}),
  faults: [],
  ...more,
});

export const compiled = (...rows: Partial<TableRow>[]): CompiledRow[] => compileRows(rows.map(row));
