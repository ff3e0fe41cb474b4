import { wildcard } from '../../eai/wildcard.ts';
import { bracketsOf } from '../language/scan.ts';
import { parseNested, type SearchPart } from '../pipeline/spl.ts';
import type { Batch, Stage } from '../results/rows.ts';
import { Arguments, refused } from './arguments.ts';

/** `foreach a* b [eval <<FIELD>>=…]`: the commands in brackets, once for each field. @param run runs them over rows */
export function foreach(part: SearchPart, run: (parts: SearchPart[], batch: Batch) => Batch): Stage {
  const [bracket, more] = bracketsOf(part.text);
  if (bracket === undefined || more !== undefined || bracket.end !== part.text.length)
    throw refused(part.name, 'The last argument must be a subsearch.');
  const args = new Arguments({ ...part, text: part.text.slice(0, bracket.start).trim() }, [
    'mode',
    'fieldstr',
    'matchstr',
  ]);
  if ((args.text('mode') ?? 'multifield') !== 'multifield')
    throw refused(part.name, "The embedded platform supports 'foreach' with 'mode=multifield' only.");
  const patterns = args.fields();
  if (patterns.length === 0) throw refused(part.name, 'You must specify at least one field.');
  const names = { field: args.text('fieldstr') ?? '<<FIELD>>', match: args.text('matchstr') ?? '<<MATCHSTR>>' };
  return {
    push: (batch) => {
      const fields = patterns.flatMap((pattern) => {
        // A wildcard stands for no internal field.
        const isSeen = (name: string) => pattern.startsWith('_') === name.startsWith('_') && wildcard(pattern)(name);
        const columns = pattern.includes('*') ? batch.columns.filter(isSeen) : [pattern];
        return columns.map((field) => ({ field, texts: wildcardTexts(pattern, field) ?? [] }));
      });
      return fields.reduce((rows, { field, texts }) => {
        let inner = bracket.inner.replaceAll(names.field, () => field).replaceAll(names.match, () => texts.join(''));
        for (const [index, text] of texts.entries()) inner = inner.replaceAll(`<<MATCHSEG${index + 1}>>`, () => text);
        return run(parseNested(inner), rows);
      }, batch);
    },
  };
}

/** The texts that the wildcards of a pattern stand for in a name; undefined where it does not match. */
export function wildcardTexts(pattern: string, name: string): string[] | undefined {
  const [first = '', ...pieces] = pattern.split('*');
  if (!wildcard(pattern)(name)) return undefined;
  const texts: string[] = [];
  let position = first.length;
  for (const [index, piece] of pieces.entries()) {
    const end = index === pieces.length - 1 ? name.length - piece.length : name.indexOf(piece, position);
    texts.push(name.slice(position, end));
    position = end + piece.length;
  }
  return texts;
}
