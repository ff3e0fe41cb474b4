import Modal from '@splunk/react-ui/Modal';
import type { ReactNode } from 'react';
import { useFocusReturn } from './focus.ts';

interface DialogProps {
  title: string;
  onClose(): void;
  children: ReactNode;
  footer?: ReactNode;
  width?: number;
  /** Has the focus once the dialog is drawn; by default the first control. */
  initialFocus?: HTMLElement | null;
}

/** Escape closes it, and returns the focus. */
export function Dialog({ title, onClose, children, footer, width = 560, ...focus }: DialogProps) {
  const back = useFocusReturn();
  return (
    <Modal open onRequestClose={onClose} returnFocus={back} {...focus} style={{ width, maxWidth: '96vw' }}>
      <Modal.Header title={title} />
      <Modal.Body>{children}</Modal.Body>
      {footer && <Modal.Footer>{footer}</Modal.Footer>}
    </Modal>
  );
}
