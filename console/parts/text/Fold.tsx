import ChevronDown from '@splunk/react-icons/ChevronDown';
import ChevronRight from '@splunk/react-icons/ChevronRight';
import Button from '@splunk/react-ui/Button';
import { type ReactNode, useState } from 'react';
import { Stack } from '../../app/styles.ts';

interface FoldProps {
  title: string;
  /** Set if only one of several may be open. */
  isOpen?: boolean;
  onToggle?(isOpen: boolean): void;
  children: ReactNode;
}

/** Content behind a button. Not a `summary` element, after which the library's dialogs break Tab. */
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
