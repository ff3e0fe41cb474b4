import Button from '@splunk/react-ui/Button';
import Heading from '@splunk/react-ui/Heading';
import Message from '@splunk/react-ui/Message';
import { type ReactNode, useRef, useState } from 'react';
import type { OperationId } from '../../../client/src/index.ts';
import { MlExtensionError } from '../../../client/src/index.ts';
import { told } from '../../api/problems.ts';
import { sessionIsOver } from '../../api/session.ts';
import { Row, Spacer, Stack } from '../../app/styles.ts';
import { FIELDS } from '../../generated/fields.ts';
import { Dialog } from '../Dialog.tsx';
import { Problem } from '../Problem.tsx';
import type { Body, TestResult } from '../resource.ts';
import { TestOutcome } from '../TestOutcome.tsx';
import { Conflict } from './Conflict.tsx';
import { type Problems, placed, problemsOf } from './checks.ts';
import { Field } from './Field.tsx';
import type { FieldFacts, Values } from './facts.ts';
import { type FormSpec, factsOf, placesOf, shownPlaces } from './spec.ts';
import { changeBody, changedPaths, valuesFrom, wholeBody, withoutSecrets } from './values.ts';

export interface FormDialogProps {
  title: string;
  operation: OperationId;
  spec: FormSpec;
  /** What is edited, or what a clone is made of; none = a new one. */
  record?: object;
  isClone?: boolean;
  /** The version that was read; none for what is made. */
  version?: number | undefined;
  save(body: Body, version: number | undefined): Promise<unknown>;
  /** The record as it is now, for a conflict. */
  readAgain?(): Promise<{ record: object; version: number | undefined }>;
  test?(body: Body, signal: AbortSignal): Promise<TestResult>;
  /** What is said while it is saved, in place of a few words. */
  saving?: ReactNode;
  onClose(): void;
  onSaved(result: unknown): void;
}

/** A form: checks what can be checked, saves, and says at each field what the server has found. What was typed is never lost. */
export default function FormDialog(props: FormDialogProps) {
  const { title, operation, spec, record, isClone = false, onClose, onSaved } = props;
  const facts = useRef(new Map((FIELDS[operation] ?? []).map((fact) => [fact.path, fact]))).current;
  const [base, setBase] = useState(() => ({
    version: props.version,
    values: record && !isClone ? valuesFrom(placesOf(spec), facts, record) : ({} as Values),
  }));
  const [values, setValues] = useState<Values>(() => beginning(spec, facts, record, isClone));
  const [problems, setProblems] = useState<Problems>({});
  const [failure, setFailure] = useState<{ error: unknown; others: string[] }>();
  const [theirs, setTheirs] = useState<{ values: Values; version: number | undefined }>();
  const [work, setWork] = useState<'save' | 'test'>();
  const [outcome, setOutcome] = useState<TestResult>();
  const form = useRef<HTMLFormElement>(null);
  const isEdit = record !== undefined && !isClone;
  const shown = shownPlaces(spec, values);

  const body = (): Body => {
    const kept = Object.fromEntries(shown.map(({ path }) => [path, values[path]]));
    return isEdit ? changeBody(visible(base.values, shown), kept, facts, shown) : wholeBody(kept);
  };
  const put = (path: string, value: unknown) => {
    setValues({ ...values, [path]: value });
    if (path in problems) setProblems(Object.fromEntries(Object.entries(problems).filter(([key]) => key !== path)));
  };
  const tell = (found: Problems) => {
    setProblems(found);
    const first = shown.find(({ path }) => path in found);
    if (first) setTimeout(() => focusOn(form.current, first.path));
  };
  const refused = (error: unknown) => {
    if (told(error).isSessionOver) return sessionIsOver();
    const errors = error instanceof MlExtensionError ? error.errors : [];
    const found = placed(shown, errors);
    setFailure({ error, others: found.others });
    tell(found.problems);
  };
  const guarded = async (kind: 'save' | 'test', doIt: () => Promise<void>) => {
    const found = problemsOf(shown, facts, values);
    tell(found);
    setFailure(undefined);
    setOutcome(undefined);
    if (Object.keys(found).length > 0 || work) return;
    setWork(kind);
    try {
      await doIt();
    } catch (error) {
      if (error instanceof MlExtensionError && error.code === 'version_conflict' && props.readAgain) await meet();
      else refused(error);
    } finally {
      setWork(undefined);
    }
  };
  const meet = async () => {
    const now = await props.readAgain?.();
    if (now) setTheirs({ values: valuesFrom(placesOf(spec), facts, now.record), version: now.version });
  };
  const save = () => guarded('save', async () => onSaved(await props.save(body(), base.version)));
  const test = props.test;
  const tryOut = () => guarded('test', async () => setOutcome(await test?.(body(), AbortSignal.timeout(30_000))));

  if (theirs) {
    return (
      <Conflict
        places={placesOf(spec)}
        facts={facts}
        before={base.values}
        mine={values}
        theirs={theirs.values}
        onDecided={(decided) => {
          setBase(theirs);
          setValues(decided);
          setTheirs(undefined);
        }}
        onClose={() => setTheirs(undefined)}
      />
    );
  }
  const hasChanges = !isEdit || changedPaths(visible(base.values, shown), visible(values, shown)).length > 0;
  return (
    <Dialog
      title={title}
      onClose={onClose}
      width={680}
      footer={
        <Row style={{ width: '100%' }}>
          {test && <Button label="Test" onClick={tryOut} aria-busy={work === 'test'} />}
          <Spacer />
          <Button label="Cancel" onClick={onClose} />
          <Button label="Save" appearance="primary" onClick={hasChanges ? save : onClose} aria-busy={work === 'save'} />
        </Row>
      }
    >
      <form
        ref={form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <Stack>
          {failure && <Problem error={failure.error} note={failure.others.join(' ')} />}
          {outcome && <TestOutcome result={outcome} note="Nothing was saved." />}
          {work && <Message type="info">{work === 'save' ? (props.saving ?? 'Saving …') : 'Testing …'}</Message>}
          {spec.sections
            .filter(({ showIf }) => showIf?.(values) ?? true)
            .map(({ title: name, places }) => (
              <Stack key={name ?? places[0]?.path}>
                {name && <Heading level={3}>{name}</Heading>}
                {places
                  .filter((place) => shown.includes(place))
                  .map((place) => (
                    <div key={place.path} data-place={place.path}>
                      <Field
                        place={place}
                        facts={factsOf(place, facts)}
                        value={values[place.path]}
                        error={problems[place.path]}
                        onChange={(value) => put(place.path, value)}
                      />
                    </div>
                  ))}
              </Stack>
            ))}
        </Stack>
      </form>
    </Dialog>
  );
}

function beginning(
  spec: FormSpec,
  facts: ReadonlyMap<string, FieldFacts>,
  record: object | undefined,
  isClone: boolean,
): Values {
  const values = valuesFrom(placesOf(spec), facts, record);
  return isClone ? withoutSecrets(values) : values;
}

const visible = (values: Values, shown: readonly { path: string }[]): Values =>
  Object.fromEntries(shown.filter(({ path }) => path in values).map(({ path }) => [path, values[path]]));

function focusOn(form: HTMLElement | null, path: string): void {
  const place = [...(form?.querySelectorAll<HTMLElement>('[data-place]') ?? [])].find(
    ({ dataset }) => dataset.place === path,
  );
  place?.querySelector<HTMLElement>('input, textarea, button, [tabindex="0"]')?.focus();
}
