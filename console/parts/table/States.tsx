import Button from '@splunk/react-ui/Button';
import Heading from '@splunk/react-ui/Heading';
import WaitSpinner from '@splunk/react-ui/WaitSpinner';
import { type ReactNode, useEffect, useState } from 'react';
import { Row, Stack } from '../../app/styles.ts';

/** True after this time. */
function useLasts(ms: number): boolean {
  const [lasts, setLasts] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLasts(true), ms);
    return () => clearTimeout(timer);
  }, [ms]);
  return lasts;
}

/** Appears after 200 ms, since most waits are shorter. */
export function Loading({ what, onStop }: { what: string; onStop?: () => void }) {
  const isVisible = useLasts(200);
  const isLong = useLasts(3000);
  return (
    <Row role="status" style={{ minHeight: 32 }}>
      {isVisible && <WaitSpinner size="medium" />}
      {isVisible && <span>{isLong ? `Still waiting for ${what} …` : `Waiting for ${what} …`}</span>}
      {isLong && onStop && <Button label="Stop waiting" onClick={onStop} />}
    </Row>
  );
}

/** An empty state with the action for the first record. */
export function Empty({ title, children, action }: { title: string; children: ReactNode; action?: ReactNode }) {
  return (
    <Stack style={{ alignItems: 'center', padding: '48px 16px', textAlign: 'center' }}>
      <Heading level={2} style={{ textAlign: 'inherit' }}>
        {title}
      </Heading>
      <div style={{ maxWidth: 560 }}>{children}</div>
      {action && <Row style={{ justifyContent: 'center' }}>{action}</Row>}
    </Stack>
  );
}
