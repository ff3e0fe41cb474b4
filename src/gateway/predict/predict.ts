import type { Static } from 'typebox';
import { Fault } from '../../contract/codes/faults.ts';
import { OutboundError } from '../../contract/codes/outbound.ts';
import { unlessAborted, within } from '../../domain/async/deadline.ts';
import type { Ask } from '../../domain/predictions/prediction.ts';
import { withRepeat } from '../use/repeat.ts';
import type { Served, Serving } from '../use/serving.ts';
import { NO_TOKENS } from '../use/tokens.ts';
import type { PredictDependencies } from './openers.ts';
import type { PredictBody, PredictReply } from './schemas.ts';

export type PredictInput = Static<typeof PredictBody>;

/** Applies a model to rows. @throws Fault; OutboundError */
export async function servePredict(
  deps: Pick<PredictDependencies, 'findModel' | 'openPredictor'>,
  body: PredictInput,
  { caller, use, enter, waits, beginning }: Serving,
): Promise<Served<Static<typeof PredictReply>>> {
  const { rows, timeout_s } = body;
  await deps.findModel(caller, body.model);
  const outer = await enter();
  const { found, predictor } = await deps.openPredictor(caller, body.model);
  const { type, model, connection } = predictor;
  using deadline = within(outer, timeout_s === undefined ? outer.remaining() : timeout_s * 1000);
  const target = { service: found.kind.provider, connection_name: connection, model };
  const deadlineMs = deadline.remaining();
  const prices = () => undefined;
  use.describe({ operation: 'predict', alias: undefined, target, prices, deadlineMs, input: { rows } });
  await use.begin(target);
  let attempts = 0;
  const send = async <T>(request: () => Promise<T>) => {
    attempts += 1;
    return { reply: await request(), attempts: 1 };
  };
  let refusal: OutboundError | undefined;
  const ask: Ask = async (request) => {
    const { reply } = await use.meter.upstream(() =>
      withRepeat(() => send(request), { deadline: beginning ?? deadline, waits }),
    );
    return reply;
  };
  if (beginning) ask.mayBegin = () => !beginning.signal.aborted;
  ask.refused = (error) => {
    refusal = error;
  };
  try {
    const { result, errors } = await unlessAborted(predictor.predict(rows, deadline, ask), deadline.signal);
    use.answered(attempts);
    use.output = result;
    const response = { model: found.reference, type, result, errors };
    return { response, tokens: NO_TOKENS, charge: undefined, warnings: use.warnings };
  } catch (thrown) {
    const isLate = deadline.signal.aborted && isTimeout(thrown);
    const error = isLate ? timeoutError(found.reference, thrown, refusal) : thrown;
    if (error instanceof OutboundError) error.attempts = attempts;
    use.failed(error);
    throw error;
  }
}

/** Covers the abort of a deadline, and a client that noticed it first. */
const isTimeout = (error: unknown): boolean =>
  error instanceof OutboundError ? error.code === 'timeout' : !(error instanceof Fault);

/** @param refusal why the model has refused rows: their halving takes time */
function timeoutError(name: string, thrown: unknown, refusal: OutboundError | undefined): OutboundError {
  const late =
    thrown instanceof OutboundError ? thrown : new OutboundError('timeout', `The model ${name} did not answer in time`);
  return refusal ? new OutboundError('timeout', `${late.message}; before, it refused rows: ${refusal.message}`) : late;
}
