import type { Reply } from '../../../../client/src/index.ts';
import { StateBadge, type Tone } from '../../../parts/Badge.tsx';

type Step = Reply<'testVectorStore'>['data']['steps'][number];

const NAMES: Readonly<Record<Step['step'], string>> = {
  assume_role: 'Assume the role',
  get_knowledge_base: 'Ask for the knowledge base',
  retrieve: 'Search it',
};

const OUTCOMES: Readonly<Record<Step['status'], [words: string, tone: Tone]>> = {
  success: ['done', 'success'],
  fail: ['failed', 'error'],
  skipped: ['not tried', 'outline'],
};

interface StepsProps {
  steps: readonly Step[];
  reachable: boolean;
  authenticated: boolean;
}

/** How far a test came, step by step, and what that means. */
export function Steps({ steps, reachable, authenticated }: StepsProps) {
  const failed = steps.find(({ status }) => status === 'fail');
  const words = failed && meaning(failed, reachable, authenticated);
  return (
    <>
      {words && <div>{words}</div>}
      <ol aria-label="Steps of the test" style={{ margin: '8px 0 0', paddingLeft: 20 }}>
        {steps.map(({ step, status, error_code, ms }) => {
          const [outcome, tone] = OUTCOMES[status];
          return (
            <li key={step}>
              {NAMES[step]}:{' '}
              <StateBadge tone={tone}>
                {status === 'skipped' ? outcome : `${outcome} after ${Math.round(ms)} ms`}
              </StateBadge>
              {error_code && (
                <>
                  {' '}
                  (<code>{error_code}</code>)
                </>
              )}
            </li>
          );
        })}
      </ol>
    </>
  );
}

/** Why it failed, for somebody who does not know the words of AWS. */
function meaning({ step, error_code }: Step, reachable: boolean, authenticated: boolean): string | undefined {
  if (!reachable) return 'AWS could not be reached, so nothing is known about the key yet.';
  if (error_code === 'auth_failed')
    return step === 'assume_role'
      ? 'AWS was reached, and did not let this key assume the role: check the key, and whether the role trusts its user.'
      : 'AWS was reached, and refused the key: check the access key id and its secret, and whether the key is still active.';
  if (error_code === 'permission_denied')
    return 'AWS knows the key, and does not allow it to do this: the user or role needs a policy that permits it.';
  if (!authenticated) return 'AWS was reached, and has not said whether the key is right.';
  return error_code?.startsWith('kb_') ? 'The key is right; what is wrong is the knowledge base itself.' : undefined;
}
