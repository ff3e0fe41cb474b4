import type { Agent } from '../../../../client/src/index.ts';
import { useRefusal } from '../../../api/rights.ts';
import { useForm } from '../../../app/url.ts';
import { Action } from '../../../parts/Action.tsx';
import { lazyPart } from '../../../parts/lazyPart.tsx';

const RunDialog = lazyPart(() => import('./RunDialog.tsx'));

/** The button in the panel of an agent. */
export function RunAction({ agent: { name, state, is_enabled } }: { agent: Agent }) {
  const refusal = useRefusal();
  const running = useForm('run');
  const why = !is_enabled
    ? 'The agent is not enabled'
    : state === 'Available'
      ? undefined
      : `The agent is ${state}. Only available agents can run`;
  return (
    <>
      <Action label="Run" appearance="primary" onClick={running.open} refusal={refusal('startRun') ?? why} />
      {running.isOpen && <RunDialog agent={name} onClose={running.close} />}
    </>
  );
}
