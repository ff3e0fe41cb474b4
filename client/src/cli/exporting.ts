import type { MlExtension } from '../client.ts';
import { textOf, writeDocument } from './document.ts';
import { plain, type Terminal } from './terminal.ts';
import type { Arguments } from './usage.ts';

export async function exportRecords(ml: MlExtension, args: Arguments, terminal: Terminal): Promise<number> {
  const { file, family, name, json } = args;
  const query = { ...(family === undefined ? {} : { family }), ...(name === undefined ? {} : { name }) };
  const reply = await ml.call('exportConfiguration', { query });
  const { document, not_included, warnings = [] } = reply;
  if (file !== undefined) writeDocument(file, document);
  if (json) terminal.out(JSON.stringify(file === undefined ? reply : { file, not_included, warnings }, null, 2));
  else if (file === undefined) terminal.out(textOf(document).trimEnd());
  for (const warning of warnings) terminal.note(`Warning: ${plain(warning)}`);
  for (const { what, why } of not_included) terminal.note(`Not included: ${plain(`${what}. ${why}`)}`);
  return 0;
}
