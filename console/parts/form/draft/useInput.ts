import { useEffect, useState } from 'react';
import type { OperationId } from '../../../../client/src/index.ts';
import { FIELDS } from '../../../generated/fields.ts';
import type { FieldFacts, Values } from '../facts.ts';
import { type FormSpec, fieldsOf, visibleFields } from '../spec.ts';
import { valuesFrom, withoutSecrets } from '../values.ts';
import { draftKey, draftOf, readDraft, resume, writeDraft } from './drafts.ts';

interface InputProps {
  title: string;
  operation: OperationId;
  spec: FormSpec;
  /** The edited or cloned record. */
  record?: object | undefined;
  isClone?: boolean | undefined;
  version?: number | undefined;
}

/** The values of a form and those that they are compared with. Changed values are kept as a draft until `clearDraft`. */
export function useInput({ title, operation, spec, record, isClone = false, version }: InputProps) {
  const isEdit = record !== undefined && !isClone;
  const [facts] = useState(() => allFacts(operation, spec));
  const [key] = useState(() => draftKey(operation, title));
  const [start] = useState(() => {
    const values = valuesFrom(fieldsOf(spec), facts, record);
    return resume({ values: isClone ? withoutSecrets(values) : values, version }, readDraft(key), isEdit);
  });
  const [values, setValues] = useState<Values>(start.values);
  const [base, setBase] = useState(start.base);
  const [theirs, setTheirs] = useState(start.theirs);
  const [draft, setDraft] = useState(start.draft);
  const activeFields = visibleFields(spec, values);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the fields follow from the values
  useEffect(() => writeDraft(key, draftOf(activeFields, facts, base, values)), [values, base]);
  return {
    ...{ isEdit, facts, activeFields, values, setValues, base, setBase, theirs, setTheirs },
    /** The draft that was restored. */
    draft,
    clearDraft: () => writeDraft(key, undefined),
    discard() {
      setValues(base.values);
      setDraft(undefined);
    },
  };
}

function allFacts(operation: OperationId, spec: FormSpec): Map<string, FieldFacts> {
  const facts = new Map<string, FieldFacts>((FIELDS[operation] ?? []).map((fact) => [fact.path, fact]));
  for (const fact of spec.facts ?? []) facts.set(fact.path, { ...facts.get(fact.path), ...fact });
  return facts;
}
