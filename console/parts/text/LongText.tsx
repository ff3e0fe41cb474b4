import { variables } from '@splunk/themes';
import styled from 'styled-components';

/** A long text that scrolls, also by keyboard. */
export function LongText({ label, text }: { label: string; text: string }) {
  return text === '' ? (
    <>–</>
  ) : (
    <Box role="region" aria-label={label} tabIndex={0}>
      {text}
    </Box>
  );
}

const Box = styled.div`
  max-height: 220px;
  overflow: auto;
  white-space: pre-wrap;

  &:focus-visible {
    outline: 2px solid ${variables.focusColor};
    outline-offset: 2px;
  }
`;
