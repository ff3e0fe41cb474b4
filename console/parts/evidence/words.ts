import type { RunEvidence, RunEvidenceEntity, RunEvidenceSource } from '../../../client/src/index.ts';
import type { Tone } from '../text/Badge.tsx';
import { formatCount } from '../text/format.ts';

export const STATUS_WORDS: Readonly<Record<RunEvidenceEntity['status'], readonly [words: string, tone: Tone]>> = {
  unverified: ['not found', 'warning'],
  derived: ['derived', 'info'],
  backed: ['found', 'success'],
};

export const ENTITY_WORDS: Readonly<Record<RunEvidenceEntity['kind'], string>> = {
  ipv4: 'IPv4 address',
  ipv6: 'IPv6 address',
  host: 'host',
  url: 'URL',
  email: 'mail address',
  user: 'user',
  hash: 'hash',
  file: 'file',
  path: 'path',
  cve: 'CVE id',
  attack: 'ATT&CK id',
  time: 'time',
  number: 'number',
  version: 'version',
};

/** The outcome of the check of an answer, in a sentence. It says where values stand, not whether they are true. */
export function evidenceWords(evidence: RunEvidence): string {
  const { checked = 0, backed = 0, derived = 0, unverified = 0, error_code } = evidence;
  if (error_code === 'timeout') return 'The check took too long; nothing was compared.';
  if (error_code !== undefined) return `The check failed (${error_code}); nothing was compared.`;
  if (checked === 0) return 'The answer has no addresses, names, numbers or the like to look up.';
  const values = counted(checked, 'value', 'values');
  const subject = checked === 1 ? 'The only value' : `All ${values}`;
  if (backed === checked) return `${subject} ${wasOrWere(checked)} found in the run's data.`;
  if (derived === checked) return `${subject} ${follows(checked)} from values in the run's data.`;
  const foundThere = `${formatCount(backed)} ${wasOrWere(backed)} found`;
  const derivedThere = `${formatCount(derived)} ${follows(derived)} from values there`;
  if (unverified === 0) return `Of ${values} ${foundThere} in the run's data, ${derivedThere}.`;
  const others = [backed > 0 ? `${foundThere} there` : '', derived > 0 ? derivedThere : ''].filter(Boolean).join(', ');
  const missing = `${formatCount(unverified)} of ${values} ${wasOrWere(unverified)} not found in the run's data`;
  return others === '' ? `${missing}.` : `${missing}; ${others}.`;
}

/** `step 1, field host` */
export function sourceWords({ input, step, run_id, field }: RunEvidenceSource): string {
  const where = input ? 'the input' : `step ${step}${run_id === undefined ? '' : ' of an earlier run'}`;
  return field === undefined ? where : `${where}, field ${field}`;
}

const wasOrWere = (count: number): string => (count === 1 ? 'was' : 'were');
const follows = (count: number): string => (count === 1 ? 'follows' : 'follow');
const counted = (count: number, singular: string, plural: string): string =>
  `${formatCount(count)} ${count === 1 ? singular : plural}`;
