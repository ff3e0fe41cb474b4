import { OutboundError } from '../../../contract/codes/outbound.ts';
import { awsAccess } from '../../../domain/net/awsKeys.ts';
import type { OnRefused, Predictions, Predictor } from '../../../domain/predictions/prediction.ts';
import { inSlices, readAll, type SliceAnswer } from '../../../domain/predictions/slices.ts';
import type { Row } from '../../../domain/predictions/values.ts';
import type { CloudEndpoints, EndpointVisit } from '../../../ports/cloud/cloudEndpoints.ts';
import type { Upstream } from '../../../ports/platform/upstream.ts';
import type { Target } from '../../../resources/target.ts';
import { invocationOf } from '../openapi.ts';
import { keysOf, SECRET } from '../records.ts';
import { mapOf, type RegisteredModel } from '../stored.ts';
import { predictionsIn } from './answers.ts';
import { type RequestPlan, requestPlanner } from './requests.ts';

/** Calls of one prediction at a time. */
const CALLS = 4;

/** A registered model: rows go to its SageMaker endpoint and back through the maps of the registration. */
export function cloudPredictor(
  { record, secrets, hidden }: Target<RegisteredModel>,
  endpoints: CloudEndpoints,
): Predictor {
  const { endpoint_name: endpoint, cloud_credentials: credentials, openapi_spec, batch_size: batch } = record;
  const access = { ...awsAccess(keysOf(credentials), secrets[SECRET], hidden), attempts: 1 };
  const map = mapOf(record.input_feature_map);
  const outputs = mapOf(record.output_prediction_map);
  const found = openapi_spec === undefined ? undefined : invocationOf(openapi_spec);
  const described = typeof found === 'string' ? undefined : found;
  const planFor = requestPlanner({ map, batch, described });

  async function send(
    visit: EndpointVisit,
    plan: RequestPlan,
    slice: readonly (readonly unknown[])[],
    upstream: Upstream,
  ): Promise<SliceAnswer> {
    const request = plan.request(slice);
    const answer = await upstream.request(() => visit.invoke(endpoint, request));
    if (answer.kind === 'refused') return answer;
    if (answer.kind === 'missing') throw missing(endpoint, credentials.region);
    return { kind: 'answered', values: predictionsIn(answer, outputs, slice.length) };
  }

  return {
    type: 'cloud',
    model: record.model_name,
    connection: endpoint,
    async predict(rows: readonly Row[], upstream: Upstream, onRefused: OnRefused): Promise<Predictions> {
      const plan = planFor(rows);
      const { sent, predictionsOf } = readAll(rows, plan.read);
      if (sent.length === 0) return predictionsOf([]);
      const visit = await endpoints.visit(access, upstream);
      const sliced = await inSlices(sent, { size: plan.size, calls: CALLS, upstream, onRefused }, (slice) =>
        send(visit, plan, slice, upstream).catch((error: unknown) => {
          // All has failed: calls under way would be for nothing.
          visit.close();
          throw error;
        }),
      ).finally(() => visit.close());
      return predictionsOf(sliced);
    },
  };
}

const missing = (endpoint: string, region: string): OutboundError =>
  new OutboundError('model_not_found', `There is no endpoint ${endpoint} in ${region} for this account`);
