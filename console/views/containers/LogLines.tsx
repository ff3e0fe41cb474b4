import { variables } from '@splunk/themes';
import { type ReactNode, useLayoutEffect, useMemo, useRef } from 'react';
import styled from 'styled-components';
import type { Line } from './useLog.ts';

interface LogLinesProps {
  label: string;
  lines: readonly Line[];
  /** In lower case. */
  query: string;
  isWrapped: boolean;
  hasTimes: boolean;
}

/** The newest line stays visible unless the user has scrolled up. */
export function LogLines({ label, lines, query, isWrapped, hasTimes }: LogLinesProps) {
  const box = useRef<HTMLPreElement>(null);
  const isAtEnd = useRef(true);
  const content = useMemo(() => {
    const text = textOf(lines, hasTimes).replace(COLOURS, '');
    return query === '' ? text : highlight(text, query);
  }, [lines, hasTimes, query]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever what is shown has changed
  useLayoutEffect(() => {
    const element = box.current;
    if (element && isAtEnd.current) element.scrollTop = element.scrollHeight;
  }, [content, isWrapped]);
  return (
    <Box
      ref={box}
      role="region"
      aria-label={label}
      // Lets the keyboard scroll the log.
      tabIndex={0}
      style={{ whiteSpace: isWrapped ? 'pre-wrap' : 'pre' }}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        isAtEnd.current = scrollHeight - scrollTop - clientHeight < 24;
      }}
    >
      {content}
    </Box>
  );
}

export const textOf = (lines: readonly Line[], hasTimes: boolean): string =>
  lines.map(({ _time, log }) => (hasTimes ? `${_time} ${log}` : log)).join('\n');

/** Escape sequences that colour the text of a terminal. */
const COLOURS = new RegExp(`${String.fromCharCode(0x1b)}\\[[\\d;]*m`, 'g');

/** Browsers cannot draw the 100,000 matches of a single letter. */
const MAX_HIGHLIGHTS = 1000;

/** Marks the matches, newest lines first. */
function highlight(text: string, query: string): ReactNode[] {
  const lower = text.toLowerCase();
  // Some letters are longer in lower case, which shifts all positions.
  if (lower.length !== text.length) return [text];
  const parts: ReactNode[] = [];
  let begin = text.length;
  for (let count = 0; count < MAX_HIGHLIGHTS && begin >= query.length; count++) {
    const start = lower.lastIndexOf(query, begin - query.length);
    if (start < 0) break;
    parts.push(
      text.slice(start + query.length, begin),
      <mark key={start}>{text.slice(start, start + query.length)}</mark>,
    );
    begin = start;
  }
  return [...parts, text.slice(0, begin)].reverse();
}

const Box = styled.pre`
  margin: 0;
  padding: 8px 12px;
  height: max(200px, calc(100vh - 400px));
  overflow: auto;
  overflow-wrap: anywhere;
  font-family: ${variables.monoFontFamily};
  font-size: 12px;
  line-height: 1.5;
  color: ${variables.contentColorActive};
  background: ${variables.backgroundColorPage};
  border: 1px solid ${variables.neutral300};

  &:focus-visible {
    outline: 2px solid ${variables.focusColor};
    outline-offset: 1px;
  }
  mark {
    color: #000;
    background: #ffd54f;
  }
`;
