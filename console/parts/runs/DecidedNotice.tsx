import Message from '@splunk/react-ui/Message';
import { useEffect, useRef } from 'react';
import type { DecisionResult } from './Decision.tsx';

/** The outcome of the last decision. Takes the focus, since the button that had it has disappeared with the call. */
export function DecidedNotice({ decided }: { decided: DecisionResult | undefined }) {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (decided) ref.current?.focus();
  }, [decided]);
  return (
    <div role="status" ref={ref} tabIndex={-1} style={{ outline: 'none' }}>
      {decided && (
        <Message type={decided.isOvertaken ? 'warning' : 'success'} appearance="fill">
          <strong>{decided.text}</strong>
          {decided.warnings.map((text) => (
            <div key={text}>{text}</div>
          ))}
        </Message>
      )}
    </div>
  );
}
