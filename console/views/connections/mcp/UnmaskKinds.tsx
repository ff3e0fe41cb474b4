import Checkbox from '@splunk/react-ui/Checkbox';
import type { UnmaskKind } from '../../../../client/src/index.ts';
import type { FieldProps } from '../../../parts/form/spec.ts';
import { kindWords } from '../masking/words.ts';

/** In the order in which they are shown. */
const NAMES: readonly UnmaskKind[] = [
  ...(['host', 'ipv4', 'ipv6', 'mac', 'user', 'win_user', 'sid'] as const),
  ...(['email', 'phone', 'card', 'iban', 'us_ssn', 'field'] as const),
];

export function UnmaskKinds({ value, error, onChange }: FieldProps) {
  const chosen = new Set((value ?? []) as readonly UnmaskKind[]);
  const toggle = (kind: UnmaskKind) =>
    onChange(NAMES.filter((candidate) => chosen.has(candidate) !== (candidate === kind)));
  return NAMES.map((kind) => (
    <Checkbox key={kind} checked={chosen.has(kind)} error={error !== undefined} onChange={() => toggle(kind)}>
      {kindWords(kind)}
    </Checkbox>
  ));
}
