import Button from '@splunk/react-ui/Button';
import Heading from '@splunk/react-ui/Heading';
import Message from '@splunk/react-ui/Message';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { OperationId } from '../../../client/src/index.ts';
import { MlExtensionError } from '../../../client/src/index.ts';
import { describeError } from '../../api/problems.ts';
import { sessionIsOver } from '../../api/session.ts';
import { Grid, Note, Row, Spacer, Stack } from '../../app/styles.ts';
import { Action } from '../Action.tsx';
import { Problem } from '../Problem.tsx';
import { Dialog } from '../panel/Dialog.tsx';
import { focusOn } from '../panel/focus.ts';
import type { Body, TestResult } from '../panel/resource.ts';
import { TestOptions } from '../panel/TestOptions.tsx';
import { TestOutcome } from '../panel/TestOutcome.tsx';
import { Loading } from '../table/States.tsx';
import { Conflict } from './Conflict.tsx';
import { assignErrors, emptySecrets, type Problems, problemsOf } from './checks.ts';
import { DraftNotice } from './draft/DraftNotice.tsx';
import { useInput } from './draft/useInput.ts';
import { Field } from './Field.tsx';
import type { Values } from './facts.ts';
import { inLabels } from './labels.ts';
import { useLeave } from './leave.tsx';
import { outcomeOf, SAVED_UNSEEN, UNCHANGED } from './lost.ts';
import { defaultsOf, type FormField, type FormSpec, factsOf, fieldsOf } from './spec.ts';
import { changeBody, changedPaths, createBody, STORED, valuesFrom } from './values.ts';

export interface FormDialogProps {
  title: string;
  operation: OperationId;
  spec: FormSpec;
  /** The edited or cloned record. */
  record?: object;
  isClone?: boolean;
  /** The version that was read. */
  version?: number | undefined;
  save(body: Body, version: number | undefined, force: boolean): Promise<unknown>;
  /** Tests the input, and saves it if the test succeeds. */
  verify?(body: Body, version: number | undefined, force: boolean, signal: AbortSignal): Promise<unknown> | undefined;
  /** Reads the current record after a conflict. */
  readAgain?(): Promise<{ record: object; version: number | undefined }>;
  /** The name of the new record if it exists after a lost answer. */
  find?(body: Body): Promise<string | undefined>;
  test?(body: Body, signal: AbortSignal, options: Body): Promise<TestResult>;
  testOptions?: { operation: OperationId; fields: readonly FormField[] } | undefined;
  /** Shown while the form is saved. */
  saving?: ReactNode;
  onClose(): void;
  onSaved(result: unknown): void;
}

type Work = 'save' | 'test' | 'verify';

const REENTER = 'must be entered again: the stored value belongs to another address';
const STOPPED = 'You stopped waiting. The change may have been made; check before you repeat it.';

/** Validates, saves, and shows the server's problems at their fields. */
export default function FormDialog(props: FormDialogProps) {
  const { title, spec } = props;
  const { isEdit, facts, activeFields, values, setValues, base, setBase, theirs, setTheirs, ...input } =
    useInput(props);
  const [problems, setProblems] = useState<Problems>({});
  const [failure, setFailure] = useState<{ error: unknown; others: readonly string[] }>();
  const [work, setWork] = useState<Work>();
  const [waiting, setWaiting] = useState<AbortController>();
  const [hasStopped, setHasStopped] = useState(false);
  const [outcome, setOutcome] = useState<TestResult>();
  const [options, setOptions] = useState<Values>(() => defaultsOf(props.testOptions?.fields));
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (outcome) form.current?.scrollIntoView({ block: 'start' });
  }, [outcome]);
  const [first] = activeFields;
  // After the dialog has focused its close button.
  const focusOnFirst = () => setTimeout(() => first && focusOn(form.current, first.path));
  // biome-ignore lint/correctness/useExhaustiveDependencies: when the form is opened, and never again
  useEffect(() => {
    const timer = focusOnFirst();
    return () => clearTimeout(timer);
  }, []);

  const onClose = () => {
    input.clearDraft();
    props.onClose();
  };
  const onSaved = (result: unknown) => {
    input.clearDraft();
    props.onSaved(result);
  };
  const discard = () => {
    input.discard();
    setProblems({});
    focusOnFirst();
  };

  const body = (): Body => {
    const current = Object.fromEntries(activeFields.map(({ path }) => [path, values[path]]));
    return isEdit
      ? changeBody(valuesOf(base.values, activeFields), current, facts, activeFields)
      : createBody(current, facts);
  };
  const put = (path: string, value: unknown) => {
    setValues((now) => ({ ...now, [path]: value }));
    if (path in problems) setProblems(Object.fromEntries(Object.entries(problems).filter(([key]) => key !== path)));
  };
  const showProblems = (shownProblems: Problems) => {
    setProblems(shownProblems);
    const wrong = activeFields.find(({ path }) => path in shownProblems);
    if (wrong) setTimeout(() => focusOn(form.current, wrong.path));
  };
  const inWords = (message: string) => inLabels(fieldsOf(spec), message);
  const refused = (error: unknown, more: readonly string[] = []) => {
    if (describeError(error).isSessionOver) return sessionIsOver();
    const { errors = [], body: errorBody = {} } = error instanceof MlExtensionError ? error : {};
    const assigned = assignErrors(activeFields, errors, fieldsOf(spec));
    const { problems: list = [] } = errorBody as { problems?: readonly string[] };
    const isUnsaved = error instanceof MlExtensionError && error.code === 'verification_failed';
    const unsaved = isUnsaved ? ['Nothing was saved.'] : [];
    const messages = list.length > 1 ? list.map(inWords) : [];
    setFailure({ error, others: [...assigned.others, ...messages, ...unsaved, ...more] });
    // Opens the fields of secrets that must be entered again.
    const again = activeFields.filter(({ path }) => path in assigned.problems && values[path] === STORED);
    setValues((now) => ({ ...now, ...Object.fromEntries(again.map(({ path }) => [path, ''])) }));
    showProblems({
      ...assigned.problems,
      ...Object.fromEntries(again.map(({ path, label }) => [path, `${label} ${REENTER}`])),
    });
    if (Object.keys(assigned.problems).length === 0) setTimeout(() => form.current?.scrollIntoView({ block: 'start' }));
  };
  const guarded = async (kind: Work, run: (signal: AbortSignal) => Promise<void>) => {
    const localProblems = {
      ...problemsOf(activeFields, facts, values),
      ...emptySecrets(activeFields, base.values, values),
    };
    showProblems(localProblems);
    setFailure(undefined);
    setOutcome(undefined);
    setHasStopped(false);
    if (Object.keys(localProblems).length > 0 || work) return;
    const abort = new AbortController();
    setWork(kind);
    setWaiting(abort);
    try {
      await run(abort.signal);
    } catch (error) {
      if (abort.signal.aborted) setHasStopped(true);
      else if (error instanceof MlExtensionError && error.code === 'version_conflict' && props.readAgain)
        await showConflict();
      else if (kind !== 'test' && describeError(error).mayBeDone) await lookAgain(error);
      else refused(error);
    } finally {
      setWork(undefined);
      setWaiting(undefined);
    }
  };
  const showConflict = async () => {
    const now = await readNow();
    if (now) setTheirs(now);
  };
  const readNow = async () => {
    const now = await props.readAgain?.();
    return now && { values: valuesFrom(fieldsOf(spec), facts, now.record), version: now.version };
  };
  /** After a lost answer: compares the stored record. */
  const lookAgain = async (error: unknown) => {
    const nothing = () => undefined;
    const made = isEdit ? undefined : await props.find?.(body()).catch(nothing);
    if (made !== undefined) return onSaved(made);
    const now = isEdit ? await readNow().catch(nothing) : undefined;
    const became = now && outcomeOf(base, { ...base.values, ...valuesOf(values, activeFields) }, now);
    if (became === 'done') return onSaved({ warnings: [SAVED_UNSEEN] });
    if (became === 'changed') return setTheirs(now);
    refused(error, now ? [UNCHANGED] : []);
  };
  const isUsed = spec.canForce && failure?.error instanceof MlExtensionError && failure.error.code === 'in_use';
  const force = isUsed === true;
  const anyway = force ? ' anyway' : '';
  const save = () => guarded('save', async () => onSaved(await props.save(body(), base.version, force)));
  const { test, verify } = props;
  const tryOut = () => guarded('test', async (signal) => setOutcome(await test?.(body(), signal, createBody(options))));
  const tryAndSave = () =>
    guarded('verify', async (signal) => onSaved(await verify?.(body(), base.version, force, signal)));
  const hasInput = changedPaths(valuesOf(base.values, activeFields), valuesOf(values, activeFields)).length > 0;
  const { leave, question } = useLeave(title, hasInput, onClose);

  if (theirs) {
    return (
      <Conflict
        fields={fieldsOf(spec)}
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
  const Fields = spec.isWide ? Grid : Stack;
  return (
    <>
      <Dialog
        title={title}
        onClose={leave}
        width={spec.isWide ? 1000 : 648}
        footer={
          <Row style={{ width: '100%', justifyContent: 'flex-end' }}>
            {test && <Action label="Test" onClick={tryOut} busy={work !== undefined} />}
            <Spacer />
            <Button label="Cancel" onClick={onClose} />
            <Action
              label={`${verify ? 'Save without test' : (spec.submit ?? 'Save')}${anyway}`}
              appearance={verify ? 'default' : 'primary'}
              onClick={isEdit && !hasInput ? onClose : save}
              busy={work !== undefined}
            />
            {verify && (
              <Action
                label={`Test and save${anyway}`}
                appearance="primary"
                onClick={tryAndSave}
                busy={work !== undefined}
              />
            )}
          </Row>
        }
      >
        <form
          ref={form}
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            (verify ? tryAndSave : save)();
          }}
        >
          {/* Enter saves only if the form has a submit button. */}
          <input type="submit" hidden />
          <Stack key={input.draft ? 'draft' : 'fields'}>
            {input.draft && <DraftNotice draft={input.draft} version={base.version} onDiscard={discard} />}
            {failure && (
              <Problem
                error={failure.error}
                inWords={inWords}
                note={<Lines texts={failure.others} />}
                isOutcomeKnown={failure.others.includes(UNCHANGED)}
              />
            )}
            {hasStopped && <Message type="warning">{STOPPED}</Message>}
            {outcome && <TestOutcome result={outcome} inWords={inWords} note="Nothing was saved." />}
            {work === 'save' && <Message type="info">{props.saving ?? 'Saving …'}</Message>}
            {work && work !== 'save' && <Loading what="the outcome of the test" onStop={() => waiting?.abort()} />}
            {spec.sections
              .filter(({ showIf }) => showIf?.(values) ?? true)
              .map(({ title: name, fields, note }) => (
                <Fields key={name ?? fields[0]?.path}>
                  {name && (
                    <Heading level={3} style={{ gridColumn: '1 / -1' }}>
                      {name}
                    </Heading>
                  )}
                  {note && <Note>{note({ values, bodyNow: body, put })}</Note>}
                  {fields
                    .filter((field) => activeFields.includes(field))
                    .map((field) => (
                      <div key={field.path} data-place={field.path}>
                        <Field
                          field={field}
                          facts={factsOf(field, facts)}
                          value={values[field.path]}
                          error={problems[field.path]}
                          onChange={(value) => put(field.path, value)}
                        />
                      </div>
                    ))}
                </Fields>
              ))}
            {test && props.testOptions && <TestOptions {...props.testOptions} values={options} onChange={setOptions} />}
          </Stack>
        </form>
      </Dialog>
      {question}
    </>
  );
}

const valuesOf = (values: Values, activeFields: readonly { path: string }[]): Values =>
  Object.fromEntries(activeFields.filter(({ path }) => path in values).map(({ path }) => [path, values[path]]));

const Lines = ({ texts }: { texts: readonly string[] }) => texts.map((text) => <div key={text}>{text}</div>);
