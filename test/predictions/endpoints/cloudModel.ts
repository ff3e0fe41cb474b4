import { OutboundError } from '../../../src/contract/codes/outbound.ts';
import { startDeadline } from '../../../src/domain/async/deadline.ts';
import { unmetered } from '../../../src/domain/async/unmetered.ts';
import { unmasked } from '../../../src/masking/outgoing.ts';
import type { Invocation, InvocationRequest } from '../../../src/ports/cloud/cloudEndpoints.ts';
import { cloudPredictor } from '../../../src/predictions/endpoints/cloudPredictor.ts';
import type { Predictions } from '../../../src/predictions/rows/prediction.ts';

export type Rows = Record<string, unknown>[];
export interface Maps {
  inputs?: Record<string, string>;
  outputs?: Record<string, string>;
  spec?: object | undefined;
  batch?: number;
}
type Answering = (request: InvocationRequest) => Invocation | Promise<Invocation>;

export const json = (value: unknown): Invocation => ({
  kind: 'answered',
  contentType: 'application/json',
  body: typeof value === 'string' ? value : JSON.stringify(value),
});
export const csv = (body: string): Invocation => ({ kind: 'answered', contentType: 'text/csv; charset=utf-8', body });
export const specOf = (request: object, response: object = { 'application/json': { schema: {} } }) => ({
  openapi: '3.0.3',
  paths: { '/invocations': { post: { requestBody: { content: request }, responses: { 200: { content: response } } } } },
});

/** A registered model whose endpoint `e` answers as a test wants. */
export class CloudModel {
  sent: InvocationRequest[] = [];
  underWay = 0;
  /** Calls at a time, at most. */
  most = 0;
  /** Visits that nobody has closed. */
  open = 0;

  /** @param answer to the rows of one call, as it was sent */
  async predict(rows: Rows, maps: Maps, answer: Answering, ms = 20_000): Promise<Predictions> {
    const { inputs = {}, outputs = {}, spec, batch = 100 } = maps;
    const model = {
      name: 'm',
      endpoint: 'e',
      access: { region: 'eu-central-1' },
      document: spec && JSON.stringify(spec),
      ...{ batch, inputs, outputs },
    };
    const predictor = cloudPredictor(model, {
      describe: async () => undefined,
      visit: async () => this.#visit(answer),
    });
    using deadline = startDeadline(ms);
    return await predictor.predict(unmasked({ rows }), unmetered(deadline), () => {});
  }

  #visit(answer: Answering) {
    this.open += 1;
    let isOpen = true;
    return {
      invoke: async (_name: string, request: InvocationRequest) => {
        if (!isOpen) throw new OutboundError('connection_reset', 'closed');
        this.sent.push(request);
        this.underWay += 1;
        this.most = Math.max(this.most, this.underWay);
        try {
          return await answer(request);
        } finally {
          this.underWay -= 1;
        }
      },
      close: () => {
        if (isOpen) this.open -= 1;
        isOpen = false;
      },
    };
  }

  bodies = () => this.sent.map(({ body }) => JSON.parse(body));
}
