import Button from '@splunk/react-ui/Button';
import { variables } from '@splunk/themes';
import { useRef, useState } from 'react';
import styled from 'styled-components';
import { Row } from '../app/styles.ts';

/** A text that people take elsewhere, such as a search. @param label of the button */
export function CopyText({ text, label }: { text: string; label: string }) {
  const [isCopied, setIsCopied] = useState(false);
  const code = useRef<HTMLElement>(null);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setIsCopied(true);
    } catch {
      // Browsers give no clipboard to pages without TLS: the text is marked, and Ctrl+C takes it.
      if (code.current) window.getSelection()?.selectAllChildren(code.current);
    }
  };
  return (
    <Row>
      <Code ref={code}>{text}</Code>
      <Button label={label} onClick={copy} />
      <span role="status">{isCopied ? 'Copied' : ''}</span>
    </Row>
  );
}

const Code = styled.code`
  padding: 6px 8px;
  color: ${variables.contentColorActive};
  background: ${variables.backgroundColorPage};
  border: 1px solid ${variables.neutral200};
  overflow-wrap: anywhere;
`;
