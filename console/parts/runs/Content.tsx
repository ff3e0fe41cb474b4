import { variables } from '@splunk/themes';
import styled from 'styled-components';
import { Code } from '../text/Code.tsx';
import { contentText } from './words.ts';

interface ContentProps {
  label: string;
  content: string | object | undefined;
  /** Id of the element. */
  place?: string;
}

/** Text of a model, a tool or a user, which scrolls, also by keyboard; never markup. */
export function Content({ label, content, place }: ContentProps) {
  if (content === undefined || content === '') return <>–</>;
  return (
    <Box id={place} role="region" aria-label={label} tabIndex={0}>
      {contentText(content)}
    </Box>
  );
}

const Box = styled(Code)`
  max-height: 320px;
  overflow: auto;
  unicode-bidi: plaintext;

  &:focus-visible {
    outline: 2px solid ${variables.focusColor};
    outline-offset: 2px;
  }
`;
