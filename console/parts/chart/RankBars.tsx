import { scaleBand, scaleLinear } from '@visx/scale';
import { Bar } from '@visx/shape';
import styled from 'styled-components';
import { escapeMisleading } from '../text/visible.ts';
import { Drawing } from './series.tsx';
import { LETTER, useWidth } from './size.ts';

const ROW = 38;
const BAR = 12;
/** More rows are only in the table. */
const MOST = 10;

interface RankBarsProps {
  name: string;
  /** The largest first. */
  ranks: readonly { name: string; value: number }[];
  /** The id of the table with the same numbers. */
  details: string;
  format(value: number): string;
}

/** A bar for each of the largest, with its name and value above it. */
export default function RankBars({ name, ranks, details, format }: RankBarsProps) {
  const { ref, width } = useWidth();
  const shown = ranks.slice(0, MOST);
  const y = scaleBand({ domain: shown.map(({ name: domainName }) => domainName), range: [0, shown.length * ROW] });
  const x = scaleLinear({ domain: [0, shown[0]?.value || 1], range: [0, Math.max(1, width - 2)] });
  const about = `${name}: ${shown.map((bar) => `${bar.name} ${format(bar.value)}`).join(', ')}`;
  return (
    <Figure aria-label={name} aria-details={details}>
      <div ref={ref}>
        {width > 0 && (
          <Drawing width={width} height={shown.length * ROW} role="img" aria-label={about}>
            {shown.map((bar) => {
              const top = y(bar.name) ?? 0;
              const value = format(bar.value);
              return (
                <g key={bar.name}>
                  <text y={top + 14}>{cut(escapeMisleading(bar.name), width / LETTER - value.length - 2)}</text>
                  <text x={width} y={top + 14} textAnchor="end">
                    {value}
                  </text>
                  <Bar className="series-0" x={0} y={top + 20} width={x(bar.value)} height={BAR} fill="currentColor" />
                </g>
              );
            })}
          </Drawing>
        )}
      </div>
      {ranks.length > MOST && <figcaption>{`The largest ${MOST} of ${ranks.length}; the table has all.`}</figcaption>}
    </Figure>
  );
}

/** Long names are whole in the table. */
const cut = (text: string, letters: number): string =>
  text.length <= letters ? text : `${text.slice(0, Math.max(1, Math.floor(letters) - 1))}…`;

const Figure = styled.figure`
  min-width: 0;
  margin: 0;

  figcaption {
    font-size: 13px;
  }
`;
