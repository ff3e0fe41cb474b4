import Checkbox from '@splunk/react-ui/Checkbox';
import type { FallbackCode } from '../../../../client/src/index.ts';
import type { FieldProps } from '../../../parts/form/spec.ts';

/** In the order in which they are shown. */
export const FALLBACK_CODES: Readonly<Record<FallbackCode, string>> = {
  rate_limited: 'Too many requests',
  quota_exceeded: 'Quota exceeded',
  timeout: 'Timeout',
  upstream_error: 'Error of the provider',
  connection_refused: 'Connection refused',
  connection_reset: 'Connection reset',
  dns_failed: 'Unknown host',
  model_not_found: 'Unknown model',
};
const CODES = Object.keys(FALLBACK_CODES) as FallbackCode[];

export function FallbackCodes({ value = [], error, onChange }: FieldProps) {
  const chosen = new Set(value as readonly FallbackCode[]);
  const toggle = (code: FallbackCode) =>
    onChange(CODES.filter((candidate) => chosen.has(candidate) !== (candidate === code)));
  return CODES.map((code) => (
    <Checkbox key={code} checked={chosen.has(code)} error={error !== undefined} onChange={() => toggle(code)}>
      {FALLBACK_CODES[code]}
    </Checkbox>
  ));
}
