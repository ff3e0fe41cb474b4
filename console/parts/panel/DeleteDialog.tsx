import Button from '@splunk/react-ui/Button';
import Checkbox from '@splunk/react-ui/Checkbox';
import Message from '@splunk/react-ui/Message';
import { type ReactNode, useState } from 'react';
import { MlExtensionError } from '../../../client/src/index.ts';
import { Row, Stack } from '../../app/styles.ts';
import { Action } from '../Action.tsx';
import { Problem } from '../Problem.tsx';
import { Dialog } from './Dialog.tsx';

interface DeleteDialogProps {
  name: string;
  /** Whether a record in use can be deleted. */
  canForce?: boolean | undefined;
  /** Label of the button. */
  label?: string | undefined;
  /** The consequences. */
  ask?: ReactNode;
  /** Label of an optional checkbox. */
  choice?: string | undefined;
  perform(force: boolean, isChosen: boolean): Promise<unknown>;
  onClose(): void;
  onGone(): void;
  /** The record has changed since the dialog opened. */
  onChanged(): void;
}

const CHANGED = 'The record has changed. Check it before you delete it.';

/** The records that refer to it. */
interface InUse {
  used_by?: string[];
}

/** Asks before a deletion, and names the records that use it. */
export default function DeleteDialog({
  name,
  label = 'Delete',
  canForce = true,
  ask,
  choice,
  perform,
  onClose,
  onGone,
  onChanged,
}: DeleteDialogProps) {
  const [isBusy, setIsBusy] = useState(false);
  const [isChosen, setIsChosen] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const code = failure instanceof MlExtensionError ? failure.code : undefined;
  const isUsed = code === 'in_use';
  const users = isUsed ? ((failure as MlExtensionError).body as InUse).used_by : undefined;
  const remove = async () => {
    setIsBusy(true);
    try {
      await perform(isUsed, isChosen);
      onGone();
    } catch (error) {
      setFailure(error);
      if (error instanceof MlExtensionError && error.code === 'version_conflict') onChanged();
    } finally {
      setIsBusy(false);
    }
  };
  if (code === 'not_found')
    return (
      <Dialog
        title={`${name} no longer exists`}
        onClose={onGone}
        footer={<Button label="Close" appearance="primary" onClick={onGone} />}
      >
        <p>Someone else deleted it or removed your permission to read it.</p>
      </Dialog>
    );
  return (
    <Dialog
      title={`${label} ${name}?`}
      onClose={onClose}
      footer={
        <Row style={{ width: '100%', justifyContent: 'flex-end' }}>
          <Button label="Cancel" onClick={onClose} />
          {(canForce || !isUsed) && (
            <Action
              label={isUsed ? `${label} anyway` : label}
              appearance="destructive"
              onClick={remove}
              busy={isBusy}
            />
          )}
        </Row>
      }
    >
      <Stack>
        {failure !== undefined && !isUsed && <Problem error={failure} note={code === 'version_conflict' && CHANGED} />}
        {isUsed && (
          <Message type="warning" appearance="fill">
            <strong>{canForce ? 'In use.' : 'In use: it cannot be deleted while something uses it.'}</strong>
            <ul>
              {(users ?? []).map((user) => (
                <li key={user}>{user}</li>
              ))}
            </ul>
          </Message>
        )}
        <div>{ask ?? 'Stored secrets are deleted too. This cannot be undone.'}</div>
        {choice && (
          <Checkbox checked={isChosen} onChange={() => setIsChosen(!isChosen)}>
            {choice}
          </Checkbox>
        )}
      </Stack>
    </Dialog>
  );
}
