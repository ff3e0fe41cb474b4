import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Experiment } from '../../../client/src/index.ts';
import { ml } from '../../api/client.ts';
import { useRefusal } from '../../api/rights.ts';
import { Action } from '../../parts/Action.tsx';
import { lazyPart } from '../../parts/lazyPart.tsx';
import { NOTE } from './form.ts';

const FormDialog = lazyPart(() => import('../../parts/form/FormDialog.tsx'));
const CloneModels = lazyPart(() => import('./CloneModels.tsx'));

export function Actions({ experiment }: { experiment: Experiment }) {
  const { experiment_id, title } = experiment;
  const [dialog, setDialog] = useState<'note' | 'models'>();
  const refusal = useRefusal();
  const client = useQueryClient();
  const close = () => setDialog(undefined);
  const changed = () => client.invalidateQueries({ queryKey: ['experiments', 'history', experiment_id] });
  return (
    <>
      <Action
        label="Add note"
        onClick={() => setDialog('note')}
        refusal={refusal('addExperimentHistory', experiment)}
      />
      <Action
        label="Clone models"
        onClick={() => setDialog('models')}
        refusal={refusal('cloneExperimentModels', experiment)}
      />
      {dialog === 'note' && (
        <FormDialog
          title={`Add a note to ${title}`}
          operation="addExperimentHistory"
          spec={NOTE}
          save={({ message }) =>
            ml.call('addExperimentHistory', {
              params: { experiment_id },
              body: { action: 'note', message: String(message) },
            })
          }
          onClose={close}
          onSaved={() => {
            close();
            changed();
          }}
        />
      )}
      {dialog === 'models' && <CloneModels experiment={experiment} onClose={close} onCloned={changed} />}
    </>
  );
}
