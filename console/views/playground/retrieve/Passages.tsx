import type { Reply } from '../../../../client/src/index.ts';
import { DataTable } from '../../../parts/table/DataTable.tsx';
import { Fold } from '../../../parts/text/Fold.tsx';
import { LongText } from '../../../parts/text/LongText.tsx';
import { withVisibleCharacters } from '../../../parts/text/visible.ts';
import { Warnings } from '../../../parts/Warnings.tsx';
import { ShownText } from '../ShownText.tsx';

const HEADS = [
  { label: 'Rank', width: 60 },
  { label: 'Score' },
  { label: 'Passage', width: 320 },
  { label: 'Source', width: 120 },
  { label: 'Metadata', width: 160 },
];
const DIGITS = 4;

/** Passages in the order of the store. Addresses are text: where they lead is unknown. */
export function Passages({ reply: { result, warnings = [] } }: { reply: Reply<'retrievePassages'> }) {
  return (
    <section aria-label="Passages found">
      <Warnings texts={warnings} />
      <p role="status">{result.length === 1 ? '1 passage.' : `${result.length} passages.`}</p>
      {result.length > 0 && (
        <DataTable
          label="Passages"
          heads={HEADS}
          rows={result.map(({ rank, score, text, source, metadata }) => ({
            key: String(rank),
            cells: [
              String(rank),
              score === undefined ? '–' : score.toPrecision(DIGITS),
              <LongText key="text" label={`Passage ${rank}`} text={withVisibleCharacters(text)} />,
              [source.type, source.uri].filter((part) => part !== undefined).join(' '),
              Object.keys(metadata).length === 0 ? (
                '–'
              ) : (
                <Fold key="metadata" title={`Metadata of ${rank}`}>
                  <ShownText label={`Metadata of passage ${rank}`} value={metadata} />
                </Fold>
              ),
            ],
          }))}
        />
      )}
    </section>
  );
}
