import { variables } from '@splunk/themes';
import { useMemo } from 'react';
import styled from 'styled-components';
import { Code } from './Code.tsx';
import { type DiffLine, diffLines } from './lineDiff.ts';

const SIGNS = { same: '  ', added: '+ ', removed: '- ', gap: '  …' } as const;
const WORDS = { same: '', added: 'added: ', removed: 'removed: ', gap: 'unchanged lines' } as const;

/** The differences between two texts; signs repeat what the colours say. */
export function Diff({ label, before, after }: { label: string; before: string; after: string }) {
  const lines = useMemo(() => diffLines(before, after), [before, after]);
  return (
    <Box role="region" aria-label={label} tabIndex={0}>
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines repeat and never move.
        <Line key={index} $kind={line.kind}>
          <span aria-hidden="true">{SIGNS[line.kind]}</span>
          <Unseen>{WORDS[line.kind]}</Unseen>
          {line.text}
        </Line>
      ))}
    </Box>
  );
}

const COLOURS = {
  same: 'transparent',
  gap: 'transparent',
  added: variables.accentColorPositive,
  removed: variables.accentColorNegative,
} as const;

const Box = styled(Code)`
  max-height: 320px;
  overflow: auto;

  &:focus-visible {
    outline: 2px solid ${variables.focusColor};
    outline-offset: 2px;
  }
`;

const Line = styled.div<{ $kind: DiffLine['kind'] }>`
  padding-left: 6px;
  border-left: 3px solid ${({ $kind }) => COLOURS[$kind]};
`;

/** For screen readers, which do not read signs. */
const Unseen = styled.span`
  position: absolute;
  width: 1px;
  height: 1px;
  overflow: hidden;
  clip-path: inset(50%);
  user-select: none;
`;
