import { variables } from '@splunk/themes';
import styled from 'styled-components';

export type Tone = 'success' | 'warning' | 'error' | 'info' | 'outline';

const COLOURS = {
  success: variables.accentColorPositive,
  warning: variables.accentColorWarning,
  error: variables.accentColorNegative,
  info: variables.contentColorInfo,
  outline: variables.neutral300,
} as const;

/** A state as text; the colour is not needed to read it. */
export function StateBadge({ tone, children }: { tone: Tone; children: string }) {
  return (
    <Words>
      <Dot $tone={tone} aria-hidden="true" />
      {children}
    </Words>
  );
}

const Words = styled.span`
  display: inline-flex;
  gap: 6px;
  align-items: baseline;
  /* A code is not cut in two. */
  overflow-wrap: normal;
`;

const Dot = styled.span<{ $tone: Tone }>`
  flex: none;
  width: 9px;
  height: 9px;
  border-radius: 50%;
  background: ${({ $tone }) => COLOURS[$tone]};
`;
