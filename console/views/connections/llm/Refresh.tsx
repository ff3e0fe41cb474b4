import Message from '@splunk/react-ui/Message';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Reply } from '../../../../client/src/index.ts';
import { ml } from '../../../api/client.ts';
import { useRefusal } from '../../../api/rights.ts';
import { Row, Stack } from '../../../app/styles.ts';
import { Action } from '../../../parts/Action.tsx';
import type { Body } from '../../../parts/panel/resource.ts';
import { TestOutcome } from '../../../parts/panel/TestOutcome.tsx';
import { useWork, WorkState } from '../../../parts/work.tsx';

type Answer = Reply<'actOnLlmProvider'>;

/** Reads the models of a provider to suggest them. @param target of the call */
export function Refresh({ target }: { target(signal: AbortSignal): Promise<Body> }) {
  const client = useQueryClient();
  const refusal = useRefusal();
  const work = useWork<'refresh'>();
  const [answer, setAnswer] = useState<Answer>();
  const ask = () =>
    work.start('refresh', async (signal) => {
      setAnswer(undefined);
      const { model: _model, modelsettings: _settings, ...body } = await target(signal);
      const action = { ...body, action: 'refresh_models' };
      setAnswer(await ml.call('actOnLlmProvider', { body: action as never }, { signal }));
      void client.invalidateQueries({ queryKey: ['llm', 'catalogue'] });
    });
  return (
    <Stack>
      <Row>
        <Action
          label="Refresh models"
          onClick={ask}
          busy={work.running !== undefined}
          refusal={refusal('actOnLlmProvider')}
        />
        <small>Reads the models of the provider to suggest them.</small>
      </Row>
      <WorkState work={work} what="the list of models" />
      {answer && !answer.success && <TestOutcome result={answer} />}
      {answer?.success && (
        <Message type="success" role="status">
          <div>{answer.message}.</div>
          <small>{(answer.models ?? []).slice(0, MOST_SHOWN).join(', ')}</small>
          {(answer.count ?? 0) > MOST_SHOWN && <small> and {(answer.count ?? 0) - MOST_SHOWN} more</small>}
        </Message>
      )}
    </Stack>
  );
}

const MOST_SHOWN = 20;
