import Button from '@splunk/react-ui/Button';
import Message from '@splunk/react-ui/Message';
import { useState } from 'react';
import { Row, Stack } from '../../app/styles.ts';
import { Dialog } from '../panel/Dialog.tsx';
import { DataTable } from '../table/DataTable.tsx';
import { decided, differences, type Side } from './decisions.ts';
import type { FieldFacts, Values } from './facts.ts';
import type { FormField } from './spec.ts';
import { STORED } from './values.ts';

const MOST_SHOWN = 400;

interface ConflictProps {
  fields: readonly FormField[];
  facts: ReadonlyMap<string, FieldFacts>;
  before: Values;
  mine: Values;
  theirs: Values;
  onDecided(values: Values): void;
  onClose(): void;
}

/** Resolves a conflict field by field; changes of one side only are kept. */
export function Conflict({ fields, facts, before, mine, theirs, onDecided, onClose }: ConflictProps) {
  const { ours, others, both, all } = differences(before, mine, theirs);
  const [chosen, setChosen] = useState<Readonly<Record<string, Side>>>({});
  const decide = (pick: (path: string) => Side) => onDecided(decided({ before, mine, theirs }, facts, pick));
  const labels = new Map(fields.map(({ path, label }) => [path, label]));
  return (
    <Dialog
      title="Somebody else has changed this"
      onClose={onClose}
      width={760}
      footer={
        <Row>
          <Button label="Cancel" onClick={onClose} />
          <Button label="Take theirs" onClick={() => decide(() => 'theirs')} />
          <Button label="Write mine over it" onClick={() => decide(() => 'mine')} />
          {both.length > 0 && (
            <Button label="Apply" appearance="primary" onClick={() => decide((path) => chosen[path] ?? 'mine')} />
          )}
        </Row>
      }
    >
      <Stack>
        <Message type="warning">
          Nothing was saved. Changes to different fields are merged; choose a value where both of you changed a field.
        </Message>
        <DataTable
          label="Changes"
          heads={[{ label: 'Field' }, { label: 'Yours' }, { label: 'Theirs' }, { label: 'Keep' }]}
          rows={all.map((path) => ({
            key: path,
            cells: [
              labels.get(path) ?? path,
              ours.includes(path) ? words(mine[path], facts.get(path)) : 'unchanged',
              others.includes(path) ? words(theirs[path], facts.get(path)) : 'unchanged',
              both.includes(path) ? (
                <Button
                  key="choice"
                  label={(chosen[path] ?? 'mine') === 'mine' ? 'Yours' : 'Theirs'}
                  aria-label={`Keep ${labels.get(path) ?? path}: ${chosen[path] ?? 'mine'}`}
                  onClick={() =>
                    setChosen({ ...chosen, [path]: (chosen[path] ?? 'mine') === 'mine' ? 'theirs' : 'mine' })
                  }
                />
              ) : ours.includes(path) ? (
                'Yours'
              ) : (
                'Theirs'
              ),
            ],
          }))}
        />
      </Stack>
    </Dialog>
  );
}

/** Never shows a secret. */
function words(value: unknown, fact: FieldFacts | undefined): string {
  if (value === STORED) return 'stored';
  if (fact?.secret && value) return 'new value';
  if (value === undefined || value === null || value === '') return 'empty';
  return (typeof value === 'object' ? JSON.stringify(value) : String(value)).slice(0, MOST_SHOWN);
}
