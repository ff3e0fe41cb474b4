import Heading from '@splunk/react-ui/Heading';
import { type ReactNode, useEffect } from 'react';
import { type MaskingMode, POLICY_KINDS } from '../../../../src/contract/families/masking.ts';
import { Grid, Stack } from '../../../app/styles.ts';
import { Field } from '../../../parts/form/Field.tsx';
import type { FieldProps, NoteProps } from '../../../parts/form/spec.ts';
import { KIND_GROUPS, MODES } from './words.ts';

type Modes = Readonly<Record<string, MaskingMode>>;

interface ChoiceProps {
  kind: string;
  label: string;
  kinds: Modes;
  /** The mode of a kind that is not named, which is left out. */
  preset: MaskingMode;
  /** Default: all. */
  modes?: readonly MaskingMode[];
  onChange(kinds: Modes): void;
}

const ALL = Object.keys(MODES) as MaskingMode[];

function Choice({ kind, label, kinds, preset, modes = ALL, onChange }: ChoiceProps) {
  const path = `kinds.${kind}`;
  const choose = (mode: unknown) => {
    const { [kind]: _, ...others } = kinds;
    onChange(mode === preset ? others : { ...others, [kind]: mode as MaskingMode });
  };
  return (
    <div data-place={path}>
      <Field
        field={{ path, label, options: MODES }}
        facts={{ path, kind: 'choice', options: [...modes] }}
        value={kinds[kind] ?? preset}
        onChange={choose}
      />
    </div>
  );
}

const Narrow = ({ children }: { children: ReactNode }) => (
  <Grid style={{ gridTemplateColumns: 'repeat(auto-fill, minmax(min(180px, 100%), 1fr))' }}>{children}</Grid>
);

const modesIn = (value: unknown): Modes => (typeof value === 'object' && value !== null ? (value as Modes) : {});

/** How each kind is treated. */
export function Kinds({ value, onChange }: FieldProps) {
  const kinds = modesIn(value);
  return (
    <Stack>
      {Object.entries(KIND_GROUPS).map(([group, words]) => (
        <section key={group} aria-label={group}>
          <Heading level={4} style={{ margin: '8px 0 4px' }}>
            {group}
          </Heading>
          <Narrow>
            {Object.entries(words).map(([kind, label]) => (
              <Choice key={kind} preset="allow" {...{ kind, label, kinds, onChange }} />
            ))}
          </Narrow>
        </section>
      ))}
    </Stack>
  );
}

/** How values of named fields and of own patterns are treated, which are masked unless a choice says otherwise. */
export function OwnKinds({ values, put }: NoteProps) {
  const kinds = modesIn(values.kinds);
  const patterns = Array.isArray(values.patterns) ? (values.patterns as readonly { label?: string }[]) : [];
  const labels = [...new Set(patterns.flatMap(({ label }) => label || []))];
  const isStale = (kind: string) => !POLICY_KINDS.some((name) => name === kind) && !labels.includes(kind);
  const current = Object.entries(kinds).filter(([kind]) => !isStale(kind));
  // The mode of a pattern goes with it.
  useEffect(() => {
    if (current.length < Object.keys(kinds).length) put('kinds', Object.fromEntries(current));
  });
  const onChange = (next: Modes) => put('kinds', next);
  return (
    <Narrow>
      <Choice
        {...{ kind: 'field', label: 'Values of named fields', kinds, onChange }}
        preset="mask"
        modes={['mask', 'refuse']}
      />
      {labels.map((label) => (
        <Choice key={label} preset="mask" {...{ kind: label, label: `Values of ${label}`, kinds, onChange }} />
      ))}
    </Narrow>
  );
}

/** A box to tick for each of the values, which are their own labels. */
export function Choices({ all, field, value, onChange }: FieldProps & { all: readonly string[] }) {
  const chosen = new Set((value ?? []) as readonly string[]);
  const toggle = (name: string) => onChange(all.filter((other) => chosen.has(other) !== (other === name)));
  return (
    <Narrow>
      {all.map((name) => {
        const path = `${field.path}.${name}`;
        return (
          <Field
            key={name}
            field={{ path, label: name }}
            facts={{ path, kind: 'switch' }}
            value={chosen.has(name)}
            onChange={() => toggle(name)}
          />
        );
      })}
    </Narrow>
  );
}
