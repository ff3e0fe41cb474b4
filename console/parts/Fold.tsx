import { type ReactNode, useState } from 'react';

/**
 * What most people never need, folded away. It is drawn once it is opened: a dialog's own order of Tab would lead to fields that
 * cannot be seen, and end there.
 */
export function Fold({ title, children }: { title: string; children: ReactNode }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary style={{ cursor: 'pointer' }}>{title}</summary>
      {isOpen && <div style={{ padding: '12px 0 0 16px' }}>{children}</div>}
    </details>
  );
}
