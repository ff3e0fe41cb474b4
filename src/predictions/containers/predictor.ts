import { Fault } from '../../contract/codes/faults.ts';
import { OutboundError } from '../../contract/codes/outbound.ts';
import { stringifyExact } from '../../contract/exactJson.ts';
import { redact } from '../../domain/net/redact.ts';
import { refusalError, retryAfterSeconds } from '../../domain/net/upstreamErrors.ts';
import { checkBody } from '../../masking/checkedBody.ts';
import type { Applications, ApplicationTarget } from '../../ports/engines/applications.ts';
import type { Upstream } from '../../ports/platform/upstream.ts';
import type { Predictor } from '../rows/prediction.ts';
import { inSlices, type ReadRow, readAll } from '../rows/slices.ts';
import { isMissing, missingField, type Row, unreadableValue } from '../rows/values.ts';
import { columnsOf, isScalar } from './columns.ts';
import type { Answer, Application, Feature, FeatureValue, SentRow } from './protocol.ts';
import { PROTOCOLS, type ProtocolName } from './registry.ts';

/** Rows of one call. */
const SLICE = 1000;
/** Calls of one prediction at a time. */
const CALLS = 4;
const PEER = 'The container';

/** A container whose application answers, and how it is called. */
export interface ReachedContainer {
  /** Name of the container as it was started. */
  model: string;
  protocol: ProtocolName;
  target: ApplicationTarget;
  /** Redacted from messages. */
  hidden: readonly string[];
}

/** @throws Fault `not_supported` if the container takes no rows */
export function containerPredictor(container: ReachedContainer, applications: Applications): Predictor {
  const { model, protocol } = container;
  const { rows: open } = PROTOCOLS[protocol];
  if (typeof open !== 'function') throw new Fault('not_supported', open.instead(model), { param: 'model' });
  return {
    type: 'container',
    model,
    connection: 'container',
    async predict(content, upstream, onRefused) {
      const { rows } = content;
      const application = applicationOf(applications, container, upstream, (body) => checkBody(content, body));
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
  applications: Applications,
  { target, hidden }: ReachedContainer,
  upstream: Upstream,
  check: (body: string) => void,
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
    async post(path, body) {
      const text = stringifyExact(body);
      check(text);
      return send('POST', path, text);
    },
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

/** The error at the end of a Python traceback: the lines before it are places in files. */
function lastWords(text: string): string {
  if (!text.startsWith(TRACE)) return text;
  return (
    text
      .slice(TRACE.length + 1)
      .split('\n')
      .find((line) => /^[A-Za-z]/.test(line)) ?? 'a traceback'
  );
}
