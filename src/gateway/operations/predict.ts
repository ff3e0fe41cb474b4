import type { Static } from 'typebox';
import { Fault } from '../../contract/codes/faults.ts';
import { OutboundError } from '../../contract/codes/outbound.ts';
import { unlessAborted } from '../../domain/async/deadline.ts';
import type { Walk } from '../../masking/outgoing.ts';
import { NO_TOKENS } from '../../metering/tokens.ts';
import type { PredictionRows, Predictions } from '../../predictions/rows/prediction.ts';
import { scopeOf, type ValuedAnswer, withValues } from '../masking/answers.ts';
import { withCheckedBodies } from '../masking/chats.ts';
import { maskFor } from '../masking/masker.ts';
import { mapStrings } from '../masking/strings.ts';
import type { Operation, Target } from '../operation.ts';
import type { PredictBody, PredictReply } from '../predict/schemas.ts';

export type PredictInput = Static<typeof PredictBody>;

/** Applies a model to rows. */
export const predict: Operation<PredictInput, Target, ValuedAnswer<Predictions>, Static<typeof PredictReply>> = {
  name: 'predict',
  row: 'predict',
  isExact: true,
  repeatsEach: true,
  async open(context, { model: name, rows, timeout_s }) {
    const { deps, caller, use } = context;
    await deps.findModel(caller, name);
    return async () => {
      const { found, predictor } = await deps.openPredictor(caller, name);
      const { type, model, connection } = predictor;
      const { reference } = found;
      const target = { service: found.kind.provider, connection_name: connection, model };
      return {
        input: { rows },
        timeoutMs: timeout_s === undefined ? undefined : timeout_s * 1000,
        targets: [target],
        open: async () => target,
        async send(upstream) {
          let refusal: OutboundError | undefined;
          const onRefused = (error: OutboundError) => {
            refusal = error;
          };
          const task = { operation: 'predict', target, scope: scopeOf(deps.origin, model), rows } as const;
          const { content, masked } = await maskFor(context, task, { rows }, withRowTexts);
          if (masked) use.input = content;
          try {
            const predicted = await withCheckedBodies(() =>
              unlessAborted(predictor.predict(content, upstream, onRefused), upstream.signal),
            );
            return withValues(predicted, masked);
          } catch (error) {
            throw upstream.signal.aborted && isTimeout(error) ? timeoutError(reference, error, refusal) : error;
          }
        },
        result({ answer: { result, errors }, logged }) {
          const response = { model: reference, type, result, errors };
          return { response, tokens: NO_TOKENS, charge: undefined, output: logged.result, warnings: use.warnings };
        },
      };
    };
  },
};

const withRowTexts: Walk<PredictionRows> = ({ rows }, replace, _, read) => {
  for (const row of rows) read(row);
  return { rows: mapStrings(rows, replace) };
};

/** Covers the abort of a deadline, and a client that noticed it first. */
const isTimeout = (error: unknown): boolean =>
  error instanceof OutboundError ? error.code === 'timeout' : !(error instanceof Fault);

/** @param refusal why the model has refused rows: their halving takes time */
function timeoutError(name: string, thrown: unknown, refusal: OutboundError | undefined): OutboundError {
  const late =
    thrown instanceof OutboundError ? thrown : new OutboundError('timeout', `The model ${name} did not answer in time`);
  return refusal ? new OutboundError('timeout', `${late.message}; before, it refused rows: ${refusal.message}`) : late;
}
