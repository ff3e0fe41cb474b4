import Checkbox from '@splunk/react-ui/Checkbox';
import type { UnmaskKind } from '../../../../client/src/index.ts';
import type { FieldProps } from '../../../parts/form/spec.ts';

/** In the order in which they are shown. */
const KINDS: Readonly<Record<UnmaskKind, string>> = {
  host: 'Hosts',
  ipv4: 'IPv4 addresses',
  ipv6: 'IPv6 addresses',
  mac: 'MAC addresses',
  user: 'Users',
  win_user: 'Windows users',
  sid: 'Windows security identifiers',
  email: 'Mail addresses',
  phone: 'Telephone numbers',
  card: 'Card numbers',
  iban: 'IBANs',
  us_ssn: 'US social security numbers',
  field: 'Other values of named fields',
};
const NAMES = Object.keys(KINDS) as UnmaskKind[];

export function UnmaskKinds({ value, error, onChange }: FieldProps) {
  const chosen = new Set((value ?? []) as readonly UnmaskKind[]);
  const toggle = (kind: UnmaskKind) =>
    onChange(NAMES.filter((candidate) => chosen.has(candidate) !== (candidate === kind)));
  return NAMES.map((kind) => (
    <Checkbox key={kind} checked={chosen.has(kind)} error={error !== undefined} onChange={() => toggle(kind)}>
      {KINDS[kind]}
    </Checkbox>
  ));
}
