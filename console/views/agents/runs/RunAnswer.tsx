import Heading from '@splunk/react-ui/Heading';
import { variables } from '@splunk/themes';
import styled from 'styled-components';
import type { RunDetail } from '../../../../client/src/index.ts';
import { Answer } from '../../../parts/evidence/Answer.tsx';

interface RunAnswerProps {
  run: Pick<RunDetail, 'run_id' | 'evidence'>;
  output: string | object;
}

/** The answer in the panel of a run, which scrolls, also by keyboard. */
export default function RunAnswer({ run, output }: RunAnswerProps) {
  return (
    <div>
      <Heading level={3}>Answer</Heading>
      {output === '' ? (
        '–'
      ) : (
        <Box role="region" aria-label="Answer" tabIndex={0}>
          <Answer run={run} output={output} />
        </Box>
      )}
    </div>
  );
}

const Box = styled.div`
  max-height: 60vh;
  padding: 4px;
  overflow: auto;

  &:focus-visible {
    outline: 2px solid ${variables.focusColor};
    outline-offset: 2px;
  }
`;
