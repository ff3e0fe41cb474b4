import { AUDIT_SOURCETYPE } from '../../../src/contract/audit.ts';
import { quoted } from '../../parts/text/format.ts';

/** The search for the entries that match the filters. */
export function searchOf(filters: Readonly<Record<string, string>>, index: string): string {
  const { earliest, latest, record, ...fields } = filters;
  const terms = Object.entries({ ...fields, name: record }).map(([name, value]) => value && `${name}=${quoted(value)}`);
  const events = [`index=${index}`, `sourcetype=${AUDIT_SOURCETYPE}`];
  return [...events, ...terms, timeTerm('earliest', earliest), timeTerm('latest', latest)].filter(Boolean).join(' ');
}

/** In epoch seconds, as searches expect. */
function timeTerm(name: string, value = ''): string {
  const seconds = Date.parse(value) / 1000;
  return Number.isNaN(seconds) ? '' : `${name}=${seconds}`;
}
