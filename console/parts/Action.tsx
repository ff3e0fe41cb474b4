import Button from '@splunk/react-ui/Button';
import Tooltip from '@splunk/react-ui/Tooltip';
import type { ReactNode } from 'react';

interface ActionProps {
  label: string;
  /** For screen readers, if the label alone is ambiguous. */
  name?: string;
  onClick(): void;
  refusal?: string | undefined;
  appearance?: 'default' | 'primary' | 'destructive' | 'subtle';
  icon?: ReactNode;
  busy?: boolean;
}

/** A button. A refused one stays focusable and shows the reason. */
export function Action({ label, name, onClick, refusal, appearance = 'default', icon, busy = false }: ActionProps) {
  const button = (
    <Button
      label={label}
      aria-label={name}
      icon={icon}
      appearance={appearance}
      disabled={refusal === undefined && !busy ? false : 'dimmed'}
      aria-busy={busy}
      onClick={refusal === undefined && !busy ? onClick : undefined}
    />
  );
  return refusal === undefined ? button : <Tooltip content={refusal}>{button}</Tooltip>;
}
