import { variables } from '@splunk/themes';
import styled from 'styled-components';

export interface Point {
  /** Epoch seconds. */
  at: number;
  value: number;
}

const WIDTH = 480;
const HEIGHT = 72;
const EDGE = 6;
/** More dots would cover the line. */
const MOST_DOTS = 100;

const short = new Intl.NumberFormat('en', { maximumSignificantDigits: 5 });

/** A line over time, with its range as text. @param points oldest first, at least one */
export function LineChart({ name, points }: { name: string; points: readonly Point[] }) {
  const values = points.map(({ value }) => value);
  const [low, high] = [values.reduce((a, b) => Math.min(a, b)), values.reduce((a, b) => Math.max(a, b))];
  const [from, to] = [points[0]?.at ?? 0, points.at(-1)?.at ?? 0];
  const x = (time: number) => EDGE + (to === from ? 0.5 : (time - from) / (to - from)) * (WIDTH - 2 * EDGE);
  const y = (value: number) => EDGE + (high === low ? 0.5 : (high - value) / (high - low)) * (HEIGHT - 2 * EDGE);
  const last = values.at(-1) ?? 0;
  const about = `${name}: ${points.length} ${points.length === 1 ? 'value' : 'values'}, lowest ${short.format(low)}, highest ${short.format(high)}, last ${short.format(last)}`;
  return (
    <Figure>
      <figcaption>
        <strong>{name}</strong> last {short.format(last)}, from {short.format(low)} to {short.format(high)}
      </figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={about} preserveAspectRatio="none">
        <polyline points={points.map(({ at, value }) => `${x(at)},${y(value)}`).join(' ')} />
        {points.length <= MOST_DOTS &&
          points.map(({ at, value }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two may be of one moment
            <circle key={index} cx={x(at)} cy={y(value)} r={3} />
          ))}
      </svg>
    </Figure>
  );
}

const Figure = styled.figure`
  margin: 0;

  svg {
    display: block;
    width: 100%;
    height: ${HEIGHT}px;
    margin: 4px 0;
    background: ${variables.backgroundColorPage};
    border: 1px solid ${variables.neutral200};
  }
  polyline {
    fill: none;
    stroke: ${variables.contentColorInfo};
    stroke-width: 2;
    vector-effect: non-scaling-stroke;
  }
  circle {
    fill: ${variables.contentColorInfo};
  }
`;
