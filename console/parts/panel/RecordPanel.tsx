import Button from '@splunk/react-ui/Button';
import Heading from '@splunk/react-ui/Heading';
import SidePanel from '@splunk/react-ui/SidePanel';
import { useEffect, useRef, useState } from 'react';
import { MlExtensionError } from '../../../client/src/index.ts';
import { useRead } from '../../api/queries.ts';
import { useOwns, useRefusal } from '../../api/rights.ts';
import { Row, Stack } from '../../app/styles.ts';
import { useForm } from '../../app/url.ts';
import { Action } from '../Action.tsx';
import type { Values } from '../form/facts.ts';
import { defaultsOf } from '../form/spec.ts';
import { createBody } from '../form/values.ts';
import { lazyPart } from '../lazyPart.tsx';
import { Problem } from '../Problem.tsx';
import { Empty, Loading } from '../table/States.tsx';
import { Warnings } from '../Warnings.tsx';
import { useWork, WorkState } from '../work.tsx';
import { FactList } from './FactList.tsx';
import { useFocusReturn, useKeptFocus } from './focus.ts';
import { createProps, testProps } from './formProps.ts';
import type { Resource, TestResult } from './resource.ts';
import { withoutSharing } from './sharing.tsx';
import { TestOutcome } from './TestOutcome.tsx';

const FormDialog = lazyPart(() => import('../form/FormDialog.tsx'));
const DeleteDialog = lazyPart(() => import('./DeleteDialog.tsx'));
const TestOptions = lazyPart(async () => ({ default: (await import('./TestOptions.tsx')).TestOptions }));

interface RecordPanelProps<R extends object> {
  resource: Resource<R>;
  name: string;
  onClose(): void;
  onChanged(): void;
}

export default function RecordPanel<R extends object>({ resource, name, onClose, onChanged }: RecordPanelProps<R>) {
  const back = useFocusReturn();
  const { data, error, refetch } = useRead({
    queryKey: [resource.key, 'one', name],
    queryFn: ({ signal }) => resource.read(name, signal),
    refetchInterval: (query) => (query.state.data && resource.pollMs?.([query.state.data])) || false,
  });
  // Hides an id while the title is loading.
  const fallbackTitle = resource.titleOf && data === undefined && !error ? resource.one : name;
  const title = data ? (resource.titleOf?.(data) ?? name) : fallbackTitle;
  const isGone = data === null || (error instanceof MlExtensionError && error.code === 'not_found');
  const isEditing = useForm('edit').isOpen;
  const box = useRef<HTMLDivElement>(null);
  const head = useRef<HTMLDivElement>(null);
  useKeptFocus(box, head);
  useEffect(() => {
    // After the previous dialog has returned the focus.
    const timer = setTimeout(() => head.current?.focus());
    return () => clearTimeout(timer);
  }, []);
  return (
    <SidePanel
      open
      dockLayout="page"
      dockPosition="right"
      onRequestClose={onClose}
      returnFocus={back}
      useLayerForClickAway={false}
      innerStyle={{ width: 'min(560px, 100vw)', display: 'block', height: '100vh', overflowY: 'auto' }}
      role="dialog"
      aria-label={title}
    >
      <Stack ref={box} style={{ padding: 16, overflowWrap: 'anywhere' }}>
        <Row style={{ flexWrap: 'nowrap', alignItems: 'start' }}>
          <div ref={head} tabIndex={-1} style={{ flex: '1 1 0', minWidth: 0 }}>
            <Heading level={2} style={{ margin: 0 }}>
              {title}
            </Heading>
          </div>
          <Button label="Close" appearance="subtle" onClick={onClose} />
        </Row>
        {isGone ? (
          <Empty title={`No ${resource.one} of this name`}>It was deleted, or you may not read it.</Empty>
        ) : (
          error && <Problem error={error} note={data ? 'Showing earlier data.' : undefined} onRetry={() => refetch()} />
        )}
        {data === undefined && !error && <Loading what={title} />}
        {/* A form keeps its input even if its record is gone. */}
        {data && (!isGone || isEditing) && (
          <Record
            resource={resource}
            record={data}
            onChanged={onChanged}
            onGone={() => {
              onClose();
              // After the panel is closed, since it would read the deleted record.
              setTimeout(onChanged);
            }}
          />
        )}
      </Stack>
    </SidePanel>
  );
}

function Record<R extends object>({
  resource,
  record,
  onChanged,
  onGone,
}: {
  resource: Resource<R>;
  record: R;
  onChanged(): void;
  onGone(): void;
}) {
  const { create, edit, remove, test } = resource;
  const refusal = useRefusal();
  const owns = useOwns();
  const editSpec = edit?.specOf?.(record) ?? edit?.spec;
  const editing = useForm('edit');
  const cloning = useForm('clone');
  const [isDeleting, setIsDeleting] = useState(false);
  const [outcome, setOutcome] = useState<TestResult>();
  const [warnings, setWarnings] = useState<readonly string[]>([]);
  const testing = useWork<'test'>();
  const [options, setOptions] = useState<Values>(() => defaultsOf(test?.options));
  // After a conflict, records that are saved as a whole must be based on the latest one.
  const latest = useRef<R>(undefined);
  const name = resource.nameOf(record);
  const title = resource.titleOf?.(record) ?? name;
  const version = resource.versionOf?.(record);

  const editRefusal = edit && (refusal(edit.operation, record) ?? edit.refuse?.(record));
  const openEdit = () => {
    latest.current = undefined;
    editing.open();
  };
  const runTest = () =>
    testing.start('test', async (signal) => {
      setOutcome(undefined);
      setOutcome(await test?.perform(record, undefined, signal, createBody(options)));
      onChanged();
    });
  return (
    <Stack>
      <Row>
        {test && (
          <Action
            label="Test"
            onClick={runTest}
            refusal={refusal(test.operation)}
            busy={testing.running !== undefined}
          />
        )}
        {edit && <Action label="Edit" onClick={openEdit} refusal={editRefusal} />}
        {create && edit && <Action label="Clone" onClick={cloning.open} refusal={refusal(create.operation)} />}
        {resource.actions?.(record)}
        {remove && (remove.isFor?.(record) ?? true) && (
          <Action
            label={remove.label ?? 'Delete'}
            appearance="destructive"
            onClick={() => setIsDeleting(true)}
            refusal={refusal(remove.operation, record)}
          />
        )}
      </Row>
      {test?.options && refusal(test.operation) === undefined && (
        <TestOptions operation={test.operation} fields={test.options} values={options} onChange={setOptions} />
      )}
      <WorkState work={testing} what={`the answer of ${title}`} />
      <Warnings texts={warnings} />
      {outcome && <TestOutcome result={outcome} onEdit={edit && editRefusal === undefined ? openEdit : undefined} />}
      {resource.facts(record).map((facts) => (
        <FactList key={facts.title ?? ''} {...facts} />
      ))}
      {resource.more?.(record)}
      {edit && editSpec && editing.isOpen && (
        <FormDialog
          title={`Edit ${title}`}
          operation={edit.operation}
          spec={owns(record) ? editSpec : withoutSharing(editSpec)}
          record={edit.valuesOf?.(record) ?? record}
          version={version}
          save={(body, read, force) => edit.save(body, read, latest.current ?? record, force)}
          verify={
            edit.verify &&
            ((body, read, force, signal) => edit.verify?.(body, read, latest.current ?? record, force, signal))
          }
          readAgain={async () => {
            const now = await resource.read(name, AbortSignal.timeout(30_000));
            if (!now) throw new Error('The record was deleted');
            latest.current = now;
            return { record: edit.valuesOf?.(now) ?? now, version: resource.versionOf?.(now) };
          }}
          {...testProps(resource, record)}
          onClose={editing.close}
          onSaved={(saved) => {
            editing.close();
            setWarnings((saved as { warnings?: string[] } | undefined)?.warnings ?? []);
            onChanged();
          }}
        />
      )}
      {create && cloning.isOpen && (
        <FormDialog
          title={`Clone ${title}`}
          {...createProps(resource, create, record)}
          record={create.valuesOf?.(record) ?? record}
          isClone
          onClose={cloning.close}
          onSaved={(saved) => {
            onChanged();
            cloning.closeFor(String(saved));
          }}
        />
      )}
      {remove && isDeleting && (
        <DeleteDialog
          name={title}
          label={remove.label}
          canForce={remove.canForce}
          ask={remove.ask?.(record)}
          choice={remove.choice}
          perform={(force, isChosen) => remove.perform(record, force, isChosen)}
          onClose={() => setIsDeleting(false)}
          onGone={onGone}
          onChanged={onChanged}
        />
      )}
    </Stack>
  );
}
