import ChevronDown from '@splunk/react-icons/ChevronDown';
import ChevronRight from '@splunk/react-icons/ChevronRight';
import Button from '@splunk/react-ui/Button';
import { type ReactNode, useState } from 'react';
import { Stack } from '../../app/styles.ts';

interface FoldProps {
  title: string;
  /** Where one of several is open at a time. */
  isOpen?: boolean;
  onToggle?(isOpen: boolean): void;
  children: ReactNode;
}

/**
 * What most people never need, folded away behind a button: the library's dialogs keep Tab from what comes after a `summary`. It
 * is drawn once it is opened.
 */
export function Fold({ title, isOpen: isOpenThere, onToggle, children }: FoldProps) {
  const [isOpenHere, setIsOpenHere] = useState(false);
  const isOpen = isOpenThere ?? isOpenHere;
  const toggle = () => (onToggle ?? setIsOpenHere)(!isOpen);
  return (
    <div>
      <Button
        label={title}
        icon={isOpen ? <ChevronDown /> : <ChevronRight />}
        appearance="subtle"
        aria-expanded={isOpen}
        onClick={toggle}
      />
      {isOpen && <Stack style={{ padding: '12px 0 0 16px' }}>{children}</Stack>}
    </div>
  );
}
