import { useQueryClient } from '@tanstack/react-query';
import type { Experiment } from '../../../client/src/index.ts';
import { ml } from '../../api/client.ts';
import { useRefusal } from '../../api/rights.ts';
import { useForm } from '../../app/url.ts';
import { Action } from '../../parts/Action.tsx';
import { lazyPart } from '../../parts/lazyPart.tsx';
import { NOTE } from './form.ts';

const FormDialog = lazyPart(() => import('../../parts/form/FormDialog.tsx'));
const CloneModels = lazyPart(() => import('./CloneModels.tsx'));

export function Actions({ experiment }: { experiment: Experiment }) {
  const { experiment_id, title } = experiment;
  const note = useForm('note');
  const cloning = useForm('clone-models');
  const refusal = useRefusal();
  const client = useQueryClient();
  const changed = () => client.invalidateQueries({ queryKey: ['experiments', 'history', experiment_id] });
  return (
    <>
      <Action label="Add note" onClick={note.open} refusal={refusal('addExperimentHistory', experiment)} />
      <Action label="Clone models" onClick={cloning.open} refusal={refusal('cloneExperimentModels', experiment)} />
      {note.isOpen && (
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
          onClose={note.close}
          onSaved={() => {
            note.close();
            changed();
          }}
        />
      )}
      {cloning.isOpen && <CloneModels experiment={experiment} onClose={cloning.close} onCloned={changed} />}
    </>
  );
}
