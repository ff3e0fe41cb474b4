import ControlGroup from '@splunk/react-ui/ControlGroup';
import Select from '@splunk/react-ui/Select';
import { ml } from '../../../api/client.ts';
import { useRead } from '../../../api/queries.ts';
import { useRefusal } from '../../../api/rights.ts';
import { Row, Stack } from '../../../app/styles.ts';
import { useUrl } from '../../../app/url.ts';
import { Action } from '../../../parts/Action.tsx';
import { ReadState } from '../../../parts/work.tsx';
import { PredictFields, usePrediction } from '../../models/predict/prediction.tsx';
import { Columns } from '../Columns.ts';

/** Models that the app applies, and their features. */
interface ApplicableModel {
  name: string;
  features: readonly string[];
}

/** Applies a model to pasted rows. */
export default function PredictTab() {
  const [url, go] = useUrl();
  const name = url.get('model') ?? '';
  const read = useRead({
    queryKey: ['models', 'applicable'],
    queryFn: async ({ signal }): Promise<ApplicableModel[]> => {
      const { result = [] } = await ml.call('listModels', { query: { count: 0 } }, { signal });
      // The first of a name is the one that the app applies: the caller's own.
      const names = new Map<string, ApplicableModel>();
      for (const model of result) if (model.type !== 'lookup' && !names.has(model.name)) names.set(model.name, model);
      return [...names.values()];
    },
  });
  const models = read.data ?? [];
  const chosen = models.find((model) => model.name === name);
  const listed = name === '' || chosen ? models : [{ name, features: [] }, ...models];
  return (
    <Columns style={{ marginTop: 12 }}>
      <Stack as="section" aria-label="Choice of the model">
        <ReadState read={read} what="the models" />
        <ControlGroup
          label="Model"
          labelPosition="top"
          help={
            read.data?.length === 0
              ? 'There is no model that can be applied: upload or register one under Models.'
              : undefined
          }
        >
          <Select
            filter
            value={name}
            placeholder="Choose"
            onChange={(_event, { value }) => go({ model: String(value) }, 'replace')}
          >
            {listed.map((model) => (
              <Select.Option key={model.name} label={model.name} value={model.name} />
            ))}
          </Select>
        </ControlGroup>
      </Stack>
      {name === '' && models.length > 0 && <small>Choose a model, and paste the rows to predict here.</small>}
      {name !== '' && read.data && <Rows key={name} model={name} features={chosen?.features ?? []} />}
    </Columns>
  );
}

function Rows({ model, features }: { model: string; features: readonly string[] }) {
  const refusal = useRefusal();
  const prediction = usePrediction(model, features);
  return (
    <Stack style={{ minWidth: 0 }}>
      <PredictFields prediction={prediction} />
      <Row>
        <Action
          label="Predict"
          appearance="primary"
          busy={prediction.isRunning}
          refusal={refusal('predict')}
          onClick={prediction.predict}
        />
      </Row>
    </Stack>
  );
}
