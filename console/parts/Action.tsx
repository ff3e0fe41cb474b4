import Button from '@splunk/react-ui/Button';
import Tooltip from '@splunk/react-ui/Tooltip';
import type { ReactNode } from 'react';

interface ActionProps {
  label: string;
  /** For who cannot see what stands beside it, where the label alone does not say what it acts on. */
  name?: string;
  onClick(): void;
  /** Why it cannot be used now. */
  refusal?: string | undefined;
  appearance?: 'default' | 'primary' | 'destructive' | 'subtle';
  icon?: ReactNode;
  /** Its work goes on: pressed again it would do nothing, and looks so. */
  busy?: boolean;
}

/** A button. What may not be used stays in the order of Tab, and says why: nobody should have to guess. */
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
