import Button from '@splunk/react-ui/Button';
import Message from '@splunk/react-ui/Message';
import { useMemo, useState } from 'react';
import { type Experiment, MlExtensionError, type ModelCloneResult } from '../../../client/src/index.ts';
import { ml } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { Stack } from '../../app/styles.ts';
import FormDialog from '../../parts/form/FormDialog.tsx';
import { Dialog } from '../../parts/panel/Dialog.tsx';
import type { Body } from '../../parts/panel/resource.ts';
import { DataTable } from '../../parts/table/DataTable.tsx';
import { StateBadge } from '../../parts/text/Badge.tsx';
import { ReadState } from '../../parts/work.tsx';
import { ChosenModels, proposed } from './ChosenModels.tsx';
import { cloneModels } from './form.ts';

interface CloneModelsProps {
  experiment: Experiment;
  onClose(): void;
  onCloned(): void;
}

/** Copies models of an experiment, and shows the outcome of each copy. */
export default function CloneModels({ experiment, onClose, onCloned }: CloneModelsProps) {
  const { experiment_id, title, models } = experiment;
  const [results, setResults] = useState<readonly ModelCloneResult[]>();
  const read = useRead({
    queryKey: ['models', 'of', experiment_id],
    queryFn: async ({ signal }) => {
      const query = { search: experiment_id, count: 200 };
      const { result = [] } = await ml.call('listModels', { query }, { signal });
      return result.filter(({ type }) => type !== 'cloud').map(({ name }) => name);
    },
    staleTime: 0,
  });
  const { data } = read;
  const files = useMemo(
    () => data && proposed(experiment_id, [...data, ...models.map((name) => name.replace(/^app:/, ''))]),
    [data, experiment_id, models],
  );
  const save = async (body: Body): Promise<readonly ModelCloneResult[]> => {
    try {
      return (await ml.call('cloneExperimentModels', { params: { experiment_id }, body })).result;
    } catch (failure) {
      // If every copy is skipped, the error has the results.
      const isSkipped = failure instanceof MlExtensionError && failure.code === 'already_exists';
      const { result } = (isSkipped ? failure.body : {}) as { result?: ModelCloneResult[] };
      if (!result) throw failure;
      return result;
    }
  };
  const heading = `Clone models of ${title}`;
  if (results) return <Results title={heading} results={results} onClose={onClose} />;
  if (!files || files.length === 0)
    return (
      <Dialog title={heading} onClose={onClose} footer={<Button label="Cancel" onClick={onClose} />}>
        <ReadState read={read} what="the models of the experiment" />
        {files && <p>No models: no stage names one, and no file has the id of the experiment in its name.</p>}
      </Dialog>
    );
  return (
    <FormDialog
      title={heading}
      operation="cloneExperimentModels"
      spec={cloneModels({
        control: (props) => <ChosenModels {...props} known={files} />,
        initial: files.filter(({ isDraft }) => isDraft).map(({ source, destination }) => ({ source, destination })),
      })}
      saving="Cloning …"
      save={save}
      onClose={onClose}
      onSaved={(done) => {
        setResults(done as readonly ModelCloneResult[]);
        onCloned();
      }}
    />
  );
}

const OUTCOMES = { cloned: 'success', skipped: 'warning', failed: 'error' } as const;

const REASONS: Readonly<Record<string, string>> = {
  already_exists: 'name exists',
  not_found: 'not found, or not readable',
  acl_denied: 'not writable',
};

function Results({
  title,
  results,
  onClose,
}: {
  title: string;
  results: readonly ModelCloneResult[];
  onClose(): void;
}) {
  const count = results.filter(({ status }) => status === 'cloned').length;
  return (
    <Dialog
      title={title}
      onClose={onClose}
      width={680}
      footer={<Button label="Done" appearance="primary" onClick={onClose} />}
    >
      <Stack>
        <Message type={count === results.length ? 'success' : 'warning'} appearance="fill" role="status">
          {count} of {results.length} {results.length === 1 ? 'model' : 'models'} cloned
        </Message>
        <DataTable
          label="Copies"
          heads={[{ label: 'Model' }, { label: 'Copy' }, { label: 'Outcome' }]}
          rows={results.map(({ source, destination, status, error_code }) => ({
            key: `${source} ${destination}`,
            cells: [
              source,
              destination,
              <StateBadge key="outcome" tone={OUTCOMES[status]}>
                {error_code === undefined ? status : `${status}: ${REASONS[error_code] ?? error_code}`}
              </StateBadge>,
            ],
          }))}
        />
      </Stack>
    </Dialog>
  );
}
