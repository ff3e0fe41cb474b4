import { type ReactNode, useState } from 'react';

/**
 * What most people never need, folded away. It is drawn once it is opened: a dialog's own order of Tab would lead to fields that
 * cannot be seen, and end there.
 * @param group of those of one group, one is open
 */
export function Fold({ title, group, children }: { title: string; group?: string; children: ReactNode }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details name={group} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary style={{ cursor: 'pointer' }}>{title}</summary>
      {isOpen && <div style={{ padding: '12px 0 0 16px' }}>{children}</div>}
    </details>
  );
}
