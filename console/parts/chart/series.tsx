import { variables } from '@splunk/themes';
import styled, { css } from 'styled-components';

/** Colours of the theme with a contrast of at least 3:1 to the page, light and dark; the last is that of all others. */
const COLOURS = [
  variables.categoricalA2Strong,
  variables.categoricalA4Strong,
  variables.categoricalA1Strong,
  variables.categoricalA3Strong,
  variables.categoricalA5Strong,
  variables.contentColorMuted,
];

/** Lines of a tile, so that series differ without colour as well. The first is plain. */
const LINES = ['', 'M-1,1 l2,-2 M0,6 l6,-6 M5,7 l2,-2', 'M0,3 h6', 'M3,0 v6', 'M0,0 l6,6 M0,6 l6,-6', 'M3,3 h0.01'];

/** A drawing whose series have colours; `series-<place>` is the class of one. */
export const Drawing = styled.svg`
  display: block;
  overflow: visible;
  color: ${variables.contentColorDefault};

  text {
    fill: currentColor;
    font-family: ${variables.sansFontFamily};
    font-size: 12px;
  }
  .line {
    stroke: ${variables.neutral200};
  }
  .active {
    fill: ${variables.interactiveColorOverlayHover};
  }
  ${COLOURS.map(
    (colour, place) => css`
      .series-${place} {
        color: ${colour};
      }
    `,
  )}
  .bar {
    stroke: currentColor;
  }
`;

const fillId = (id: string, place: number): string => `${id}-${place}`;

/** The fill of a series. @param id of the patterns in this drawing */
export const fillOf = (id: string, place: number): string => `url(#${fillId(id, place)})`;

/** A pattern for each series. */
export function Patterns({ id, count }: { id: string; count: number }) {
  return (
    <defs>
      {LINES.slice(0, count).map((line, place) => (
        <pattern
          key={line}
          id={fillId(id, place)}
          className={`series-${place}`}
          width={6}
          height={6}
          patternUnits="userSpaceOnUse"
        >
          <rect width={6} height={6} fill="currentColor" fillOpacity={line === '' ? 1 : 0.3} />
          <path d={line} fill="none" stroke="currentColor" strokeWidth={1.6} strokeLinecap="round" />
        </pattern>
      ))}
    </defs>
  );
}

/** The names of the series, in the order in which they are stacked. */
export function Legend({ id, names }: { id: string; names: readonly string[] }) {
  return (
    <Names>
      {names.map((name, place) => (
        <li key={name}>
          <Drawing width={14} height={14} aria-hidden="true">
            <Patterns id={`${id}-key`} count={names.length} />
            <rect
              className={`bar series-${place}`}
              x={1}
              y={1}
              width={12}
              height={12}
              fill={fillOf(`${id}-key`, place)}
            />
          </Drawing>
          {name}
        </li>
      ))}
    </Names>
  );
}

const Names = styled.ul`
  display: flex;
  flex-wrap: wrap;
  gap: 4px 16px;
  margin: 0;
  padding: 0;
  list-style: none;
  font-size: 13px;

  li {
    display: flex;
    gap: 6px;
    align-items: center;
  }
  svg {
    flex: none;
  }
`;
