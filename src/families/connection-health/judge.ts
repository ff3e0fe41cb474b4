import { counted } from '../../contract/basics.ts';
import { CODES, type FaultCode, remedyOf } from '../../contract/codes/codes.ts';
import { EXPIRING_DAYS } from '../../contract/families/connectionHealth.ts';
import type { Expiry } from '../../domain/net/certificates.ts';
import type { Condition, TargetCondition } from '../../domain/records/connectionHealth.ts';
import type { ConnectionHealth } from './schemas.ts';

type Verdict = Pick<ConnectionHealth, 'state' | 'reason' | 'error_code' | 'remedy'>;

const DAY_S = 86_400;

/** Earliest end of a credential, epoch seconds. */
export function endOf({ expiries }: Condition): number | undefined {
  return expiries.length > 0 ? Math.min(...expiries.map(({ at }) => at)) : undefined;
}

/** The most urgent state that applies. @param now epoch seconds */
export function judgeHealth(condition: Condition, now: number): Verdict {
  if (condition.verdict) return condition.verdict;
  return condition.targets ? judgeTargets(condition.targets, now) : judgeOne(condition, now);
}

type JudgedCondition = Pick<Condition, 'lastTest' | 'needsSignIn' | 'expiries' | 'tested'>;

function judgeOne(condition: JudgedCondition, now: number): Verdict {
  const { lastTest, needsSignIn, expiries } = condition;
  const failed = lastTest?.status === 'fail' ? (lastTest.error_code ?? 'upstream_error') : undefined;
  const code = failed === undefined ? {} : { error_code: failed };
  if (needsSignIn) return { state: 'reauth_required', ...SIGN_IN, ...code };
  const ending = soonestFirst(expiries).filter(({ at }) => at - now <= EXPIRING_DAYS * DAY_S);
  // A test that passed after the expiry shows that another certificate of the bundle is in use.
  const isOutlived = ({ at }: Expiry) => lastTest?.status === 'success' && lastTest.tested_at > at;
  const ended = ending.find((expiry) => expiry.at <= now && !isOutlived(expiry));
  if (ended) {
    const expiryCode = ended.code ? { error_code: ended.code } : {};
    return { state: 'failing', reason: expiryText(ended, now), ...expiryCode, ...code, remedy: renewal(ended) };
  }
  if (failed !== undefined) {
    const remedy = remedyOf(failed);
    return { state: 'failing', reason: whyFailed(failed, condition), ...code, ...(remedy ? { remedy } : {}) };
  }
  const [next] = ending;
  if (next) return { state: 'expiring', reason: expiryText(next, now), remedy: renewal(next) };
  if (!lastTest) return { state: 'untested', reason: 'Not tested yet' };
  return { state: 'ok', reason: 'The last test passed' };
}

/** One working target is enough: `failing` only if all of them are. */
function judgeTargets(targets: readonly TargetCondition[], now: number): Verdict {
  const judged = targets.map((target) => ({ target, verdict: judgeTarget(target, now) }));
  const reasonsOf = (state: Verdict['state']) =>
    judged
      .filter(({ verdict }) => verdict.state === state)
      .map(({ target, verdict }) => `${target.name}: ${verdict.reason}`);
  const failing = reasonsOf('failing');
  const [first] = judged;
  if (first && failing.length === judged.length)
    return { ...first.verdict, reason: `All targets fail. ${failing.join('. ')}` };
  const expiring = judged.filter(({ verdict }) => verdict.state === 'expiring').map(({ verdict }) => verdict);
  const [soonest] = expiring;
  if (soonest) return { ...soonest, reason: [...reasonsOf('expiring'), ...failing].join('. ') };
  if (failing.length > 0)
    return { state: 'ok', reason: `${counted(failing.length, 'target')} failing. ${failing.join('. ')}` };
  if (judged.every(({ verdict }) => verdict.state === 'untested'))
    return { state: 'untested', reason: 'No target was tested yet' };
  return { state: 'ok', reason: 'The last tests of its targets passed' };
}

function judgeTarget({ key, lastTest, expiries }: TargetCondition, now: number): Verdict {
  if (key !== undefined) return judgeOne({ lastTest, expiries, needsSignIn: false }, now);
  const remedy = remedyOf('unknown_reference');
  const reason = 'There is no such LLM configuration';
  return { state: 'failing', reason, error_code: 'unknown_reference', ...(remedy ? { remedy } : {}) };
}

const SIGN_IN = {
  reason: 'The server rejected the stored credentials. Sign in again.',
  remedy: 'Sign in at the server, and save the new token, with the refresh token if there is one.',
};

const soonestFirst = (expiries: readonly Expiry[]) => [...expiries].sort((a, b) => a.at - b.at);
const capitalized = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
const renewal = ({ field }: Expiry) => `Save a new one in ${field}.`;

function expiryText({ what, at }: Expiry, now: number): string {
  const day = new Date(at * 1000).toISOString().slice(0, 10);
  return `${capitalized(what)} ${at <= now ? 'expired' : 'expires'} on ${day}`;
}

/** Engines have error codes without a description. */
function whyFailed(code: string, { tested }: JudgedCondition): string {
  const when = Object.hasOwn(CODES, code) ? CODES[code as FaultCode].when : `The last test failed: ${code}`;
  return tested === undefined ? when : `${capitalized(tested)}: ${when}`;
}
