import type { Event, Fields, Outcome } from './events.ts';

/** The calls on a record with their times and outcomes. */
export function show(events: readonly Event[]): string[] {
  const start = Math.min(...events.map(({ from }) => from));
  return [...events].sort((a, b) => a.from - b.from).map((event) => showEvent(event, start));
}

export function showEvent(event: Event, start: number): string {
  const seconds = (moment: number) => (Number.isFinite(moment) ? ((moment - start) / 1000).toFixed(3) : '…');
  const when = `${seconds(event.from)}-${seconds(event.to)}`.padEnd(15);
  const condition =
    'condition' in event.action && event.action.condition !== undefined ? ` if version ${event.action.condition}` : '';
  const fields = 'fields' in event.action ? ` ${showFields(event.action.fields)}` : '';
  const who = `${event.client} (${event.user}, via ${event.via})`;
  return `${when} ${who} ${event.action.kind}${fields}${condition} -> ${showOutcome(event.outcome)}`;
}

function showFields({ mark, host, secret, acl }: Fields): string {
  const parts = [mark, host && `at ${host}`, secret === undefined ? undefined : `secret ${secret ?? 'removed'}`];
  if (acl) parts.push(`${acl.sharing} read [${acl.read}] write [${acl.write}]`);
  return parts.filter(Boolean).join(', ');
}

function showOutcome(outcome: Outcome): string {
  if (outcome.kind === 'unknown') return `unknown (${outcome.because})`;
  if (outcome.kind === 'fail')
    return outcome.refusal.why === 'conflict'
      ? `conflict, current version ${outcome.refusal.current}`
      : outcome.refusal.why;
  if (outcome.met) return `ok, ${outcome.met.host} met secret ${outcome.met.secret || 'none'}`;
  if (!outcome.observed) return 'ok';
  const { version, mark, host, hasSecret } = outcome.observed;
  const secret = hasSecret === undefined ? '' : hasSecret ? ', with a secret' : ', without a secret';
  return `ok, version ${version} ${mark}${host ? ` at ${host}` : ''}${secret}`;
}
