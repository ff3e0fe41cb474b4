import Button from '@splunk/react-ui/Button';
import Message from '@splunk/react-ui/Message';
import RadioList from '@splunk/react-ui/RadioList';
import { useState } from 'react';
import { Row, Stack } from '../../app/styles.ts';
import { Dialog } from '../panel/Dialog.tsx';
import { DataTable } from '../table/DataTable.tsx';
import { decided, differences, type Side } from './decisions.ts';
import type { FieldFacts, Values } from './facts.ts';
import type { FormField } from './spec.ts';
import { STORED } from './values.ts';

const MOST_SHOWN = 400;
const SIDES: Readonly<Record<Side, string>> = { mine: 'Mine', theirs: 'Theirs' };

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
  const sideOf = (path: string) => chosen[path] ?? 'mine';
  const decide = (pick: (path: string) => Side) => onDecided(decided({ before, mine, theirs }, facts, pick));
  const labels = new Map(fields.map(({ path, label }) => [path, label]));
  const labelOf = (path: string) => labels.get(path) ?? path;
  return (
    <Dialog
      title="Someone else has changed this"
      onClose={onClose}
      width={760}
      footer={
        <Row>
          <Button label="Cancel" onClick={onClose} />
          <Button label="Discard my changes" onClick={() => decide(() => 'theirs')} />
          <Button label="Apply" appearance="primary" onClick={() => decide(sideOf)} />
        </Row>
      }
    >
      <Stack>
        <Message type="warning">
          Nothing was saved. Changes to different fields are merged; where both of you changed a field, choose the value
          to keep. Then save the form again.
        </Message>
        <DataTable
          label="Changes"
          heads={[{ label: 'Field' }, { label: 'Mine' }, { label: 'Theirs' }, { label: 'Keep' }]}
          rows={all.map((path) => ({
            key: path,
            cells: [
              labelOf(path),
              ours.includes(path) ? words(mine[path], facts.get(path)) : 'unchanged',
              others.includes(path) ? words(theirs[path], facts.get(path)) : 'unchanged',
              both.includes(path) ? (
                <RadioList
                  key="choice"
                  aria-label={`Keep ${labelOf(path)}`}
                  value={sideOf(path)}
                  onChange={(_event, { value }) => setChosen({ ...chosen, [path]: value as Side })}
                >
                  <RadioList.Option value="mine">{SIDES.mine}</RadioList.Option>
                  <RadioList.Option value="theirs">{SIDES.theirs}</RadioList.Option>
                </RadioList>
              ) : (
                SIDES[ours.includes(path) ? 'mine' : 'theirs']
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
