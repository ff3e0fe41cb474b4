import { expect } from 'chai';
import type { Invocation, InvocationRequest } from '../../../src/ports/cloud/cloudEndpoints.ts';
import type { Json, MemoryApp } from '../../support/memory/app.ts';
import { IN_SERVICE } from '../../support/memory/cloud.ts';

export const SHARED = { sharing: 'app', perms: { read: ['*'], write: [] } };

export const registration = (model_name: string, acl: Json = SHARED, more: Json = {}) => ({
  model_name,
  endpoint_name: 'forecast-1',
  cloud_credentials: { region: 'eu-central-1', role_arn: 'arn:aws:iam::123456789012:role/predict' },
  input_feature_map: { cpu: 'instances[*].cpu' },
  output_prediction_map: { 'predictions[*]': 'forecast' },
  acl,
  ...more,
});

export const answered = (body: string, contentType = 'application/json'): Invocation => ({
  kind: 'answered',
  contentType,
  body,
});

/** The endpoint of all registered models, for the tests of the `describe` that it is made in. It predicts ten times the field `cpu`. */
export class PredictionPeer {
  asked: InvocationRequest[] = [];
  answer: (request: InvocationRequest) => Promise<Invocation> = this.predictions;
  /** Visits that nobody has closed. */
  open = 0;

  constructor() {
    const base = { ...IN_SERVICE };
    before(() => {
      IN_SERVICE.visit = async () => this.#visit();
    });
    beforeEach(() => {
      this.asked = [];
      this.answer = this.predictions;
      this.open = 0;
    });
    afterEach(() => expect(this.open).to.equal(0));
    after(() => {
      Object.assign(IN_SERVICE, base);
    });
  }

  async predictions({ body }: InvocationRequest): Promise<Invocation> {
    const { instances } = JSON.parse(body) as { instances: { cpu: unknown }[] };
    return answered(JSON.stringify({ predictions: instances.map(({ cpu }) => Number(cpu) * 10) }));
  }

  /** Never answers, and ignores the deadline. */
  hang(): void {
    this.answer = () => {
      this.open -= 1;
      return new Promise(() => {});
    };
  }

  #visit() {
    this.open += 1;
    let isOpen = true;
    return {
      invoke: (_name: string, request: InvocationRequest) => {
        this.asked.push(request);
        return this.answer(request);
      },
      close: () => {
        if (isOpen) this.open -= 1;
        isOpen = false;
      },
    };
  }
}

/** Registers a model as `scientist`. */
export async function register(app: MemoryApp, body: Json): Promise<void> {
  app.user('scientist', { capabilities: ['register_ml_models'] });
  const { status, json } = await app.call('scientist', 'POST', '/register_model', body);
  expect(status, JSON.stringify(json)).to.equal(200);
}
