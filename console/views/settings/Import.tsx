import Button from '@splunk/react-ui/Button';
import Checkbox from '@splunk/react-ui/Checkbox';
import ControlGroup from '@splunk/react-ui/ControlGroup';
import Heading from '@splunk/react-ui/Heading';
import Message from '@splunk/react-ui/Message';
import Select from '@splunk/react-ui/Select';
import TextArea from '@splunk/react-ui/TextArea';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { ml } from '../../api/client.ts';
import { useRefusal } from '../../api/rights.ts';
import { Row, Stack } from '../../app/styles.ts';
import { Action } from '../../parts/Action.tsx';
import { Problem } from '../../parts/Problem.tsx';
import { Dialog } from '../../parts/panel/Dialog.tsx';
import { Loading } from '../../parts/table/States.tsx';
import { useWork } from '../../parts/work.tsx';
import { type Differences, differencesOf } from './difference.ts';
import {
  documentIn,
  type ImportBody,
  type ImportPlan,
  MAX_BYTES,
  sentSecrets,
  type TypedSecrets,
} from './documents.ts';
import { MissingSecrets } from './MissingSecrets.tsx';
import { PlanTable } from './PlanTable.tsx';

type ExistingPolicy = NonNullable<ImportBody['on_existing']>;

const ON_EXISTING: Readonly<Record<ExistingPolicy, string>> = {
  update: 'Update',
  skip: 'Skip',
  fail: 'Block',
};

/** Plans and applies an exported document. */
export function Import() {
  const client = useQueryClient();
  const refusal = useRefusal();
  const [text, setText] = useState('');
  const [onExisting, setOnExisting] = useState<ExistingPolicy>('update');
  const [withAgents, setWithAgents] = useState(false);
  const [typed, setTyped] = useState<TypedSecrets>({});
  const [planned, setPlanned] = useState<ImportPlan>();
  const [differences, setDifferences] = useState<Differences>(new Map());
  const work = useWork<'plan' | 'apply'>();
  const [inputError, setInputError] = useState<string>();
  const [isConfirming, setIsConfirming] = useState(false);
  const chosen = useRef<HTMLInputElement>(null);
  const outcome = useRef<HTMLDivElement>(null);
  // The outcome may be below the visible part of the page.
  useEffect(() => {
    if (planned || work.failure !== undefined) outcome.current?.scrollIntoView({ block: 'nearest' });
  }, [planned, work.failure]);

  /** A changed input makes the plan obsolete. */
  const resetPlan = (change: () => void) => {
    change();
    setPlanned(undefined);
    setInputError(undefined);
    work.clear();
  };
  const take = async (file: File | undefined) => {
    if (!file) return;
    const isLarge = file.size > MAX_BYTES;
    const read = isLarge ? '' : await file.text();
    resetPlan(() => setText(read));
    if (isLarge) setInputError('The file is larger than 8 MB. Export and import by kind.');
  };
  const send = async (mode: 'plan' | 'apply') => {
    const document = documentIn(text);
    if (typeof document === 'string') return setInputError(document);
    if (work.running) return;
    setInputError(undefined);
    const secrets = sentSecrets(typed);
    const body = { document, mode, on_existing: onExisting, include_agents: withAgents, secrets };
    await work.start(mode, async (signal) => {
      try {
        let reply = await ml.call('importConfiguration', { body }, { signal });
        if (mode === 'plan') setDifferences(await differencesOf(document, reply, signal));
        setPlanned(reply);
        // A call has 25 seconds: the next one continues while there is progress.
        while (reply.summary.not_reached > 0 && reply.summary.done > 0 && !signal.aborted) {
          reply = await ml.call('importConfiguration', { body }, { signal });
          setPlanned(reply);
        }
        if (mode === 'apply') setTyped({});
      } finally {
        if (mode === 'apply') await client.invalidateQueries();
      }
    });
  };
  const { create = 0, update = 0 } = planned?.summary ?? {};
  const changes = create + update;
  return (
    <section aria-label="Import">
      <Stack>
        <Heading level={2}>Import</Heading>
        <div>Plan an import to see its changes, then apply it.</div>
        <Row>
          <input
            ref={chosen}
            type="file"
            accept=".json,application/json"
            aria-label="File to import"
            onChange={({ target }) => take(target.files?.[0])}
          />
        </Row>
        <div style={{ maxWidth: 900 }}>
          <ControlGroup label="Document" labelPosition="top" help="Choose a file or paste an export">
            <TextArea
              value={text}
              rowsMin={4}
              rowsMax={10}
              spellCheck={false}
              onChange={(_event, { value }) => resetPlan(() => setText(value))}
            />
          </ControlGroup>
          <ControlGroup label="Existing records that differ" labelPosition="top">
            <Select
              value={onExisting}
              onChange={(_event, { value }) => resetPlan(() => setOnExisting(value as ExistingPolicy))}
            >
              {Object.entries(ON_EXISTING).map(([value, words]) => (
                <Select.Option key={value} label={words} value={value} />
              ))}
            </Select>
          </ControlGroup>
          <Checkbox checked={withAgents} onChange={() => resetPlan(() => setWithAgents(!withAgents))}>
            Create agents (their runtimes cost money)
          </Checkbox>
        </div>
        {inputError && (
          <Message type="error" role="alert">
            {inputError}
          </Message>
        )}
        {planned && planned.mode === 'plan' && (
          <MissingSecrets records={planned.result} typed={typed} onChange={setTyped} />
        )}
        <Row>
          <Action
            label={planned ? 'Plan again' : 'Plan'}
            onClick={() => send('plan')}
            busy={work.running === 'plan'}
            refusal={refusal('importConfiguration')}
          />
          {planned?.mode === 'plan' && (
            <Action
              label="Apply"
              appearance="primary"
              onClick={() => setIsConfirming(true)}
              busy={work.running === 'apply'}
              refusal={refusal('importConfiguration') ?? (changes === 0 ? 'Nothing to apply' : undefined)}
            />
          )}
        </Row>
        {work.running && <Loading what={work.running === 'plan' ? 'the plan' : 'the changes'} onStop={work.stop} />}
        <Stack ref={outcome}>
          {work.failure !== undefined && <Problem error={work.failure} />}
          {planned && (
            <>
              <Message type={planned.summary.failed + planned.summary.blocked > 0 ? 'warning' : 'info'} role="status">
                <strong>{planned.message}</strong>
                {(planned.warnings ?? []).map((warning) => (
                  <div key={warning}>{warning}</div>
                ))}
              </Message>
              {planned.result.length > 0 && <PlanTable planned={planned} differences={differences} />}
            </>
          )}
        </Stack>
        {isConfirming && (
          <Dialog
            title={changes === 1 ? 'Apply 1 change?' : `Apply ${changes} changes?`}
            onClose={() => setIsConfirming(false)}
            footer={
              <Row>
                <Button label="Cancel" onClick={() => setIsConfirming(false)} />
                <Button
                  label="Apply"
                  appearance="primary"
                  onClick={() => {
                    setIsConfirming(false);
                    send('apply');
                  }}
                />
              </Row>
            }
          >
            <p>
              {create} to create, {update} to update. Other records are not changed.
            </p>
          </Dialog>
        )}
      </Stack>
    </section>
  );
}
