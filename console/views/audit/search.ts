import { quoted } from '../../parts/Spl.tsx';

/** The index unless an administrator has chosen another one, and what the entries are called there. */
const EVENTS = 'index=_audit sourcetype=ml_extension:audit';

/** The entries of the platform's own index that these filters of the address leave. */
export function searchOf(filters: Readonly<Record<string, string>>): string {
  const { earliest, latest, record, ...fields } = filters;
  const terms = Object.entries({ ...fields, name: record }).map(([name, value]) => value && `${name}=${quoted(value)}`);
  return [EVENTS, ...terms, moment('earliest', earliest), moment('latest', latest)].filter(Boolean).join(' ');
}

/** In epoch seconds: searches know other forms of a moment than addresses. */
function moment(name: string, value = ''): string {
  const at = Date.parse(value) / 1000;
  return Number.isNaN(at) ? '' : `${name}=${at}`;
}
