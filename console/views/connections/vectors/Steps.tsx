import type { Reply } from '../../../../client/src/index.ts';
import { StateBadge, type Tone } from '../../../parts/text/Badge.tsx';

type Test = Reply<'testVectorStore'>['data'];
type Step = Test['steps'][number];

const NAMES: Readonly<Record<Step['step'], string>> = {
  assume_role: 'Assume the role',
  get_knowledge_base: 'Read the store',
  retrieve: 'Search the store',
};

const OUTCOMES: Readonly<Record<Step['status'], [words: string, tone: Tone]>> = {
  success: ['done', 'success'],
  fail: ['failed', 'error'],
  skipped: ['not tried', 'outline'],
};

/** The steps of a test. */
export function Steps({ steps }: { steps: readonly Step[] }) {
  return (
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
  );
}

/** A remedy that is more specific than that of the app. */
export function explainFailure({ type, steps }: Test): string | undefined {
  if (type !== 'CLOUD_KB') return undefined;
  const failed = steps.find(({ status }) => status === 'fail');
  if (failed?.error_code === 'auth_failed')
    return 'AWS rejected the key. Check the access key id, its secret, and whether the key is active.';
  if (failed?.error_code !== 'permission_denied') return undefined;
  return failed.step === 'assume_role'
    ? 'AWS did not let the key assume the role. Check whether the role trusts the user of the key.'
    : 'AWS denied the call. Add a policy that permits it to the user or role.';
}
