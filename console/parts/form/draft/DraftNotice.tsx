import Button from '@splunk/react-ui/Button';
import Message from '@splunk/react-ui/Message';
import type { Draft } from './drafts.ts';

interface DraftNoticeProps {
  draft: Draft;
  version: number | undefined;
  onDiscard(): void;
}

export function DraftNotice({ draft: { version: before, secrets }, version, onDiscard }: DraftNoticeProps) {
  return (
    <Message type="info" role="status">
      <strong>Unsaved changes restored.</strong>
      {before !== version && <div>The record was changed since you began.</div>}
      {secrets.length > 0 && <div>Secrets are not kept. Enter again: {secrets.join(', ')}.</div>}
      <Button label="Discard" onClick={onDiscard} />
    </Message>
  );
}
