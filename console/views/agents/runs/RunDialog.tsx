import { useQueryClient } from '@tanstack/react-query';
import type { Reply, Run } from '../../../../client/src/index.ts';
import { ml } from '../../../api/client.ts';
import { useUrl } from '../../../app/url.ts';
import FormDialog from '../../../parts/form/FormDialog.tsx';
import { showWarnings } from '../../../parts/LastWarnings.tsx';
import { showRun } from '../../../parts/runs/data.ts';
import { RUN, runBody, valuesOfRun } from './form.ts';

interface RunDialogProps {
  agent: string;
  /** The run that is repeated. */
  from?: Run;
  onClose(): void;
}

/** Starts a run of an agent and opens it. */
export default function RunDialog({ agent, from, onClose }: RunDialogProps) {
  const client = useQueryClient();
  const [, go] = useUrl();
  return (
    <FormDialog
      title={from ? `Run ${agent} again` : `Run ${agent}`}
      operation="startRun"
      spec={RUN}
      {...(from && { record: valuesOfRun(from), isClone: true })}
      save={async (body) => showWarnings(await ml.call('startRun', { body: runBody(agent, body) }))}
      saving="Starting the run …"
      onClose={onClose}
      onSaved={(saved) => {
        const { config } = saved as Reply<'startRun'>;
        // Only the start of an alert has none.
        if (!config) return;
        showRun(client, config);
        go({ tab: 'runs', name: config.run_id, run: undefined, again: undefined, step: undefined });
      }}
    />
  );
}
