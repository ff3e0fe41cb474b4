import Button from '@splunk/react-ui/Button';
import { type ReactNode, useState } from 'react';
import { Row } from '../../app/styles.ts';
import { Dialog } from '../panel/Dialog.tsx';

/** Asks before Escape or the close button discards input. Cancel does not ask. */
export function useLeave(title: string, hasInput: boolean, onClose: () => void) {
  const [isAsking, setIsAsking] = useState(false);
  const question: ReactNode = isAsking && (
    <Question title={title} onKeep={() => setIsAsking(false)} onDiscard={onClose} />
  );
  return { leave: () => (hasInput ? setIsAsking(true) : onClose()), question };
}

interface QuestionProps {
  title: string;
  onKeep(): void;
  onDiscard(): void;
}

function Question({ title, onKeep, onDiscard }: QuestionProps) {
  const [keep, setKeep] = useState<HTMLElement | null>(null);
  return (
    <Dialog
      title="Discard your changes?"
      onClose={onKeep}
      width={440}
      initialFocus={keep}
      footer={
        <Row style={{ width: '100%', justifyContent: 'flex-end' }}>
          <Button label="Discard" appearance="destructive" onClick={onDiscard} />
          <Button label="Keep editing" appearance="primary" elementRef={setKeep} onClick={onKeep} />
        </Row>
      }
    >
      Your input in “{title}” will be lost.
    </Dialog>
  );
}
