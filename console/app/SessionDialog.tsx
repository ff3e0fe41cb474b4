import Button from '@splunk/react-ui/Button';
import Message from '@splunk/react-ui/Message';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { readCurrentUser } from '../api/platform.ts';
import { sessionIsBack } from '../api/session.ts';
import { Dialog } from '../parts/panel/Dialog.tsx';

/** Login happens in another tab, so that no input is lost. */
export default function SessionDialog() {
  const client = useQueryClient();
  const [isStill, setIsStill] = useState(false);
  const locale = window.location.pathname.split('/')[1] ?? 'en-US';
  const goOn = async () => {
    try {
      await readCurrentUser(AbortSignal.timeout(10_000));
    } catch {
      setIsStill(true);
      return;
    }
    setIsStill(false);
    sessionIsBack();
    await client.invalidateQueries();
  };
  return (
    <Dialog
      title="Your session has ended"
      onClose={goOn}
      footer={
        <>
          <Button label="Log in" to={`/${locale}/account/login`} openInNewContext />
          <Button label="Continue" appearance="primary" onClick={goOn} />
        </>
      }
    >
      {isStill && <Message type="warning">You are not logged in yet.</Message>}
      <p>Log in again in the new tab, then continue here. Your input is kept.</p>
    </Dialog>
  );
}
