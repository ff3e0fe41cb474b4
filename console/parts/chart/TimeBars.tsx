import { variables } from '@splunk/themes';
import { scaleBand, scaleLinear } from '@visx/scale';
import { BarStack } from '@visx/shape';
import { type KeyboardEvent, type PointerEvent, useState } from 'react';
import styled from 'styled-components';
import { Drawing, fillOf, Legend, Patterns } from './series.tsx';
import { LETTER, shortNumber, useDrawingId, useWidth } from './size.ts';
import type { Stack } from './stack.ts';

const HEIGHT = 240;
const EDGE = { top: 8, right: 4, bottom: 24, left: 48 } as const;
/** A time and the space after it. */
const LABEL = 96;
const TICKS = 4;

interface TimeBarsProps {
  name: string;
  stack: Stack;
  /** The id of the table with the same numbers. */
  details: string;
  timeWords(at: number): string;
  format(value: number): string;
}

/** Bars over time, stacked by series. The arrow keys, and the pointer, read one time after another. */
export default function TimeBars({ name, stack, details, timeWords, format }: TimeBarsProps) {
  const { names, points } = stack;
  const id = useDrawingId();
  const { ref, width } = useWidth();
  const [active, setActive] = useState<number>();
  const last = points.length - 1;
  const words = active === undefined ? undefined : pointWords(stack, active, timeWords, format);

  const keys: Readonly<Record<string, (at: number) => number>> = {
    ArrowRight: (index) => index + 1,
    ArrowUp: (index) => index + 1,
    ArrowLeft: (index) => index - 1,
    ArrowDown: (index) => index - 1,
    Home: () => 0,
    End: () => last,
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const move = keys[event.key];
    if (!move) return;
    event.preventDefault();
    setActive((index = last) => Math.max(0, Math.min(last, move(index))));
  };
  const x = scaleBand({
    domain: points.map(({ at }) => at),
    range: [EDGE.left, Math.max(EDGE.left + 1, width - EDGE.right)],
    padding: 0.15,
  });
  const onPointerMove = ({ clientX, currentTarget }: PointerEvent) => {
    const index = Math.floor((clientX - currentTarget.getBoundingClientRect().left - EDGE.left) / x.step());
    setActive(index >= 0 && index <= last ? index : undefined);
  };
  return (
    <Figure aria-label={name} aria-details={details}>
      <Legend id={id} names={names} />
      <Plot
        ref={ref}
        role="slider"
        tabIndex={0}
        aria-label={`${name}: times`}
        aria-orientation="horizontal"
        aria-valuemin={1}
        aria-valuemax={points.length}
        aria-valuenow={(active ?? last) + 1}
        aria-valuetext={words ?? pointWords(stack, last, timeWords, format)}
        onKeyDown={onKeyDown}
        onFocus={() => setActive((index = last) => index)}
        onBlur={() => setActive(undefined)}
        onPointerMove={onPointerMove}
        onPointerLeave={() => setActive(undefined)}
      >
        {width > 0 && <Bars id={id} stack={stack} x={x} width={width} active={active} timeWords={timeWords} />}
      </Plot>
      <figcaption>{words ?? 'Hover a bar or use the arrow keys'}</figcaption>
    </Figure>
  );
}

interface BarsProps {
  id: string;
  stack: Stack;
  x: ReturnType<typeof scaleBand<number>>;
  width: number;
  active: number | undefined;
  timeWords(at: number): string;
}

function Bars({ id, stack: { names, points }, x, width, active, timeWords }: BarsProps) {
  const most = points.reduce((top, { total }) => Math.max(top, total), 0);
  const y = scaleLinear({ domain: [0, most || 1], range: [HEIGHT - EDGE.bottom, EDGE.top], nice: TICKS });
  const marked = active === undefined ? undefined : points[active];
  const every = Math.ceil(points.length / Math.max(1, Math.floor((width - EDGE.left) / LABEL)));
  const places = names.map((_name, place) => place);
  return (
    <Drawing width={width} height={HEIGHT} aria-hidden="true">
      <Patterns id={id} count={names.length} />
      {y.ticks(TICKS).map((value) => (
        <g key={value}>
          <line className="line" x1={EDGE.left} x2={width - EDGE.right} y1={y(value)} y2={y(value)} />
          <text x={EDGE.left - 6} y={y(value)} dy="0.32em" textAnchor="end">
            {shortNumber(value)}
          </text>
        </g>
      ))}
      {marked && (
        <rect
          className="active"
          x={x(marked.at)}
          y={EDGE.top}
          width={x.bandwidth()}
          height={HEIGHT - EDGE.top - EDGE.bottom}
        />
      )}
      <BarStack
        data={[...points]}
        keys={places}
        value={({ values }, place) => values[place] ?? 0}
        x={({ at }) => at}
        xScale={x}
        yScale={y}
        color={(place) => fillOf(id, place)}
      >
        {(series) =>
          series.flatMap(({ key, bars }) =>
            bars
              .filter(({ height }) => height > 0)
              .map((bar) => (
                <rect
                  key={`${key} ${bar.index}`}
                  className={`bar series-${key}`}
                  x={bar.x}
                  y={bar.y}
                  width={bar.width}
                  height={bar.height}
                  fill={bar.color}
                  strokeWidth={bar.width > 4 ? 1 : 0}
                />
              )),
          )
        }
      </BarStack>
      {points.map(
        ({ at }, place) =>
          place % every === 0 && (
            <text key={at} y={HEIGHT - 6} {...anchored((x(at) ?? 0) + x.bandwidth() / 2, timeWords(at), width)}>
              {timeWords(at)}
            </text>
          ),
      )}
    </Drawing>
  );
}

/** In the middle of its bar, but within the drawing. */
function anchored(middle: number, text: string, width: number) {
  const isBeyond = middle + (text.length * LETTER) / 2 > width;
  return { x: isBeyond ? width : middle, textAnchor: isBeyond ? ('end' as const) : ('middle' as const) };
}

/** `12 Nov 2026: 34 (gpt-4o 30, others 4)` */
function pointWords(
  { names, points }: Stack,
  place: number,
  timeWords: (at: number) => string,
  format: (value: number) => string,
): string {
  const point = points[place];
  if (!point) return '';
  const parts = names.flatMap((name, index) => (point.values[index] ? [`${name} ${format(point.values[index])}`] : []));
  const inner = parts.length > 0 ? ` (${parts.join(', ')})` : '';
  return `${timeWords(point.at)}: ${format(point.total)}${inner}`;
}

const Figure = styled.figure`
  display: flex;
  flex-direction: column;
  gap: 8px;
  min-width: 0;
  margin: 0;

  figcaption {
    min-height: 3em;
    font-size: 13px;
  }
`;

const Plot = styled.div`
  height: ${HEIGHT}px;

  &:focus-visible {
    outline: 2px solid ${variables.focusColor};
    outline-offset: 2px;
  }
`;
