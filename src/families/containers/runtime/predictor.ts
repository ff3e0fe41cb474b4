import { Fault } from '../../../contract/codes/faults.ts';
import { OutboundError } from '../../../contract/codes/outbound.ts';
import { stringifyExact } from '../../../contract/exactJson.ts';
import { redact } from '../../../domain/net/redact.ts';
import { refusalError, retryAfterSeconds } from '../../../domain/net/upstreamErrors.ts';
import type { Stores } from '../../../domain/records/sealedRecord.ts';
import type { ContainerDependencies } from '../../../ports/engines/containerDependencies.ts';
import type { Upstream } from '../../../ports/platform/upstream.ts';
import { columnsOf, isScalar } from '../../../predictions/containers/columns.ts';
import type { Answer, Application, Feature, FeatureValue, SentRow } from '../../../predictions/containers/protocol.ts';
import { PROTOCOLS } from '../../../predictions/containers/registry.ts';
import type { Predictor } from '../../../predictions/rows/prediction.ts';
import { inSlices, type ReadRow, readAll } from '../../../predictions/rows/slices.ts';
import { isMissing, missingField, type Row, unreadableValue } from '../../../predictions/rows/values.ts';
import { containerParts } from '../parts.ts';
import { type ReachedContainer, reachContainer } from './reach.ts';

/** Rows of one call. */
const SLICE = 1000;
/** Calls of one prediction at a time. */
const CALLS = 4;
const PEER = 'The container';

/**
 * The model of a container, ready to be applied. The caller's rights are not checked here.
 * @throws Fault `not_found`, `invalid_state`, `not_supported`; OutboundError `configuration_invalid`
 */
export async function openContainerPredictor(
  stores: Stores,
  deps: ContainerDependencies,
  secretPaths: Readonly<Record<string, readonly string[]>>,
  name: string,
): Promise<Predictor> {
  const container = await reachContainer(containerParts(stores, deps, secretPaths), name);
  const { model, protocol } = container;
  const { rows: open } = PROTOCOLS[protocol];
  if (typeof open !== 'function') throw new Fault('not_supported', open.instead(model), { param: 'model' });
  return {
    type: 'container',
    model,
    connection: 'container',
    async predict(rows, upstream, onRefused) {
      const application = applicationOf(deps, container, upstream);
      const { features, most = SLICE, predict } = await open(application, model, columnsOf(rows));
      const { sent, predictionsOf } = readAll(rows, (row, index) => readRow(index, row, features));
      const slicing = { size: Math.min(most, SLICE), calls: CALLS, upstream, onRefused };
      const sliced = await inSlices(sent, slicing, async (slice) => {
        const answer = await predict(slice);
        if (answer.kind === 'answered' && answer.values.length !== slice.length)
          throw application.unusable(`${answer.values.length} predictions for ${slice.length} rows`);
        return answer;
      });
      return predictionsOf(sliced);
    },
  };
}

function readRow(row: number, fields: Row, features: readonly Feature[]): ReadRow<SentRow> {
  const values: FeatureValue[] = [];
  for (const { name, read, what } of features) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (isMissing(field)) return { error: missingField(row, name) };
    const value = isScalar(field) ? read(field) : undefined;
    if (value === undefined) return { error: unreadableValue(row, name, what) };
    values.push(value);
  }
  return { values };
}

/** Statuses of answers that may be about the rows. Servers of Python's models have 500 for what the model throws. */
const ABOUT_ROWS = [400, 413, 422, 500];
/** Statuses that a protocol judges; with any other nothing was answered. */
const JUDGED = [200, 404, 405, ...ABOUT_ROWS];

function applicationOf(
  { applications }: ContainerDependencies,
  { target, hidden }: ReachedContainer,
  upstream: Upstream,
): Application {
  const refusal = ({ status, text }: Answer, retryAfter?: number): OutboundError =>
    refusalError({ status, text: lastWords(text), retryAfter, secrets: hidden, peer: PEER });
  const send = (method: 'GET' | 'POST', path: string, body?: string): Promise<Answer> =>
    upstream.request(async () => {
      const answer = await applications.request(target, { method, path, body, deadline: upstream });
      if (JUDGED.includes(answer.status)) return answer;
      throw refusal(answer, retryAfterSeconds(answer.headers['retry-after']));
    });
  return {
    get: (path) => send('GET', path),
    post: (path, body) => send('POST', path, stringifyExact(body)),
    refused(answer) {
      if (ABOUT_ROWS.includes(answer.status)) return { kind: 'refused', error: refusal(answer) };
      throw refusal(answer);
    },
    blamed(message) {
      const text = `${PEER} answered: ${redact(message, hidden)}`;
      return { kind: 'refused', error: new OutboundError('bad_request', text) };
    },
    unusable: (what) => new OutboundError('upstream_error', `${PEER} has ${what}`, { isAnswered: true }),
  };
}

const TRACE = 'Traceback (most recent call last)';

/** What a Python traceback ends with: the lines before it are places in files. */
function lastWords(text: string): string {
  if (!text.startsWith(TRACE)) return text;
  return (
    text
      .slice(TRACE.length + 1)
      .split('\n')
      .find((line) => /^[A-Za-z]/.test(line)) ?? 'a traceback'
  );
}
