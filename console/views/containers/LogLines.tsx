import { variables } from '@splunk/themes';
import { type ReactNode, useLayoutEffect, useMemo, useRef } from 'react';
import styled from 'styled-components';
import type { Line } from './useLog.ts';

interface LogLinesProps {
  label: string;
  lines: readonly Line[];
  /** What is looked for, in lower case. */
  wanted: string;
  isWrapped: boolean;
  hasTimes: boolean;
}

/** The newest line stays in sight, unless somebody has scrolled up. */
export function LogLines({ label, lines, wanted, isWrapped, hasTimes }: LogLinesProps) {
  const box = useRef<HTMLPreElement>(null);
  const isAtEnd = useRef(true);
  const content = useMemo(
    () => (wanted === '' ? textOf(lines, hasTimes) : marked(textOf(lines, hasTimes), wanted)),
    [lines, hasTimes, wanted],
  );
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
      // A log is scrolled by keyboard, too.
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

/** The lines as a text, one below the other. */
export const textOf = (lines: readonly Line[], hasTimes: boolean): string =>
  lines.map(({ _time, log }) => (hasTimes ? `${_time} ${log}` : log)).join('\n');

/** All places where it stands. */
function marked(text: string, wanted: string): ReactNode[] {
  const lower = text.toLowerCase();
  const parts: ReactNode[] = [];
  // Some letters are longer in lower case: what cannot be placed is not marked.
  if (lower.length !== text.length) return [text];
  let end = 0;
  for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, end)) {
    parts.push(text.slice(end, at), <mark key={at}>{text.slice(at, at + wanted.length)}</mark>);
    end = at + wanted.length;
  }
  return [...parts, text.slice(end)];
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
