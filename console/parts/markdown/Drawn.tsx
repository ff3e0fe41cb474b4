import { variables } from '@splunk/themes';
import { type ReactNode, useMemo } from 'react';
import styled from 'styled-components';
import { drawMarkdown } from './draw.ts';

interface DrawnProps {
  text: string;
  /** Changes the elements that the text becomes; a function that stays the same while its result does. */
  change?(nodes: ReactNode): ReactNode;
}

export default function Drawn({ text, change }: DrawnProps) {
  const drawn = useMemo(() => (change ? change(drawMarkdown(text)) : drawMarkdown(text)), [text, change]);
  return <Prose>{drawn}</Prose>;
}

const Prose = styled.div`
  overflow-wrap: anywhere;

  > :first-child {
    margin-top: 0;
  }
  > :last-child {
    margin-bottom: 0;
  }
  h3,
  h4,
  h5,
  h6 {
    margin: 16px 0 8px;
    font-size: 15px;
    color: ${variables.contentColorActive};
  }
  p,
  ul,
  ol,
  blockquote,
  pre {
    margin: 8px 0;
  }
  ul,
  ol {
    padding-inline-start: 24px;
  }
  blockquote {
    padding-inline-start: 12px;
    border-inline-start: 3px solid ${variables.neutral300};
  }
  code {
    font-family: ${variables.monoFontFamily};
    font-size: 13px;
  }
  pre {
    padding: 8px 12px;
    white-space: pre-wrap;
    background: ${variables.backgroundColorPage};
    border: 1px solid ${variables.neutral200};
  }
  a {
    color: inherit;
    text-decoration: underline;
  }
  a:focus-visible,
  [role='region']:focus-visible {
    outline: 2px solid ${variables.focusColor};
    outline-offset: 2px;
  }
  table {
    border-collapse: collapse;
  }
  th,
  td {
    padding: 4px 8px;
    text-align: start;
    border: 1px solid ${variables.neutral300};
  }
`;
