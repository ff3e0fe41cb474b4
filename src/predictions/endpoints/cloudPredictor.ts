import { OutboundError } from '../../contract/codes/outbound.ts';
import { checkBody, type Outgoing } from '../../masking/checkedBody.ts';
import type { CloudAccess } from '../../ports/cloud/cloudAccess.ts';
import type { CloudEndpoints, EndpointVisit } from '../../ports/cloud/cloudEndpoints.ts';
import type { Upstream } from '../../ports/platform/upstream.ts';
import type { OnRefused, PredictionRows, Predictions, Predictor } from '../rows/prediction.ts';
import { inSlices, readAll, type SliceAnswer } from '../rows/slices.ts';
import { predictionsIn } from './answers.ts';
import { invocationOf, type StringMap } from './openapi.ts';
import { type RequestPlan, requestPlanner } from './requests.ts';

/** Calls of one prediction at a time. */
const CALLS = 4;

/** An endpoint of SageMaker as its registration describes it. */
export interface CloudModel {
  name: string;
  endpoint: string;
  access: CloudAccess;
  /** Rows of one call, at most. */
  batch: number;
  /** Feature -> place in the request. */
  inputs: StringMap;
  /** Place in the answer -> field. */
  outputs: StringMap;
  /** OpenAPI document as JSON. */
  document: string | undefined;
}

/** A registered model: rows go to its SageMaker endpoint and back through the maps of the registration. */
export function cloudPredictor(
  { name, endpoint, access, batch, inputs, outputs, document }: CloudModel,
  endpoints: CloudEndpoints,
): Predictor {
  const invocation = document === undefined ? undefined : invocationOf(document);
  const described = typeof invocation === 'string' ? undefined : invocation;
  const planFor = requestPlanner({ map: inputs, batch, described });

  async function send(
    visit: EndpointVisit,
    plan: RequestPlan,
    slice: readonly (readonly unknown[])[],
    upstream: Upstream,
    check: (body: string) => void,
  ): Promise<SliceAnswer> {
    const request = plan.request(slice);
    check(request.body);
    const answer = await upstream.request(() => visit.invoke(endpoint, request));
    if (answer.kind === 'refused') return answer;
    if (answer.kind === 'missing') throw missing(endpoint, access.region);
    return { kind: 'answered', values: predictionsIn(answer, outputs, slice.length) };
  }

  return {
    type: 'cloud',
    model: name,
    connection: endpoint,
    async predict(content: Outgoing<PredictionRows>, upstream: Upstream, onRefused: OnRefused): Promise<Predictions> {
      const { rows } = content;
      const check = (body: string) => checkBody(content, body);
      const plan = planFor(rows);
      const { sent, predictionsOf } = readAll(rows, plan.read);
      if (sent.length === 0) return predictionsOf([]);
      const visit = await endpoints.visit({ ...access, attempts: 1 }, upstream);
      const sliced = await inSlices(sent, { size: plan.size, calls: CALLS, upstream, onRefused }, (slice) =>
        send(visit, plan, slice, upstream, check).catch((error: unknown) => {
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
