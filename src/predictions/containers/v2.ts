import { isObject, type Json } from '../../contract/basics.ts';
import { stringifyExact } from '../../contract/exactJson.ts';
import { bodyOf, objectIn } from './answers.ts';
import type { Application, ContainerProtocol, RowModel, SentRow } from './protocol.ts';
import { shapeProblem, statusProblem } from './status.ts';
import { type InputPlan, inputPlan } from './v2Inputs.ts';
import { outputRows } from './v2Outputs.ts';
import { declaredInputs } from './v2Types.ts';

/** The Open Inference Protocol of KServe, Triton, MLServer and OpenVINO's model server. */
export const v2: ContainerProtocol = {
  probe: async (read) => shapeProblem(await read('/v2'), isServer) || statusProblem(await read('/v2/health/ready')),
  rows: async (application, model, columns) => {
    const { name, metadata } = await findModel(application, model);
    return modelOf(application, name, inputPlan(declaredInputs(metadata.inputs), columns));
  },
};

function isServer(text: string): boolean {
  const { name, version, extensions = [] } = objectIn(text);
  return typeof name === 'string' && typeof version === 'string' && Array.isArray(extensions);
}

const pathOf = (name: string): string => `/v2/models/${encodeURIComponent(name)}`;

/** The model named like the container, else the only one that the server has. */
async function findModel(application: Application, model: string): Promise<{ name: string; metadata: Json }> {
  const own = await metadataOf(application, model);
  if (own) return { name: model, metadata: own };
  const [name, ...others] = await listedModels(application);
  const metadata = name !== undefined && others.length === 0 ? await metadataOf(application, name) : undefined;
  if (name !== undefined && metadata) return { name, metadata };
  const count = name === undefined ? 'no model' : `${others.length + 1} models`;
  throw application.unusable(`${count}, and none named ${model}`);
}

async function metadataOf(application: Application, name: string): Promise<Json | undefined> {
  const { status, text } = await application.get(pathOf(name));
  const metadata = status === 200 ? bodyOf(text) : undefined;
  return isObject(metadata) ? metadata : undefined;
}

/** Servers with a repository have an index, KServe's have a list. */
async function listedModels(application: Application): Promise<string[]> {
  const index = await application.post('/v2/repository/index', {});
  const { status, text } = index.status === 200 ? index : await application.get('/v2/models');
  const body = status === 200 ? bodyOf(text) : undefined;
  const list = isObject(body) ? body.models : body;
  const names = readyOf(Array.isArray(list) ? list : []).map((model) => (isObject(model) ? model.name : model));
  return [...new Set(names)].filter(
    (name): name is string => typeof name === 'string' && name !== '' && name.isWellFormed(),
  );
}

/** An index has an entry for each version, and others that were never loaded; some servers do not say what is ready. */
function readyOf(entries: readonly unknown[]): readonly unknown[] {
  const stateOf = (entry: unknown) => (isObject(entry) ? entry.state : undefined);
  const hasStates = entries.some(stateOf);
  return hasStates ? entries.filter((entry) => stateOf(entry) === 'READY') : entries;
}

/** Bounds for a model with a fixed number of rows, which its server reports. */
const MAX_FILLED_ROWS = 10_000;
const MAX_FILLED_BYTES = 16 * 1024 * 1024;

function modelOf(application: Application, name: string, { features, most, inputs, parameters }: InputPlan): RowModel {
  return {
    features,
    most,
    async predict(rows) {
      const filled = most === undefined ? rows : filledUp(rows, most);
      if (!filled) throw application.unusable(`a model that takes ${most} rows a call: such a request is too large`);
      const body = { ...(parameters ? { parameters } : {}), inputs: inputs(filled) };
      const answer = await application.post(`${pathOf(name)}/infer`, body);
      if (answer.status !== 200) return application.refused(answer);
      const values = outputRows(bodyOf(answer.text), filled.length, rows.length);
      if (!values) throw application.unusable('no output with a value for each row');
      return { kind: 'answered', values };
    },
  };
}

/** A model with a fixed number of rows is sent that number; undefined if this makes a request too large. */
function filledUp(rows: readonly SentRow[], most: number): readonly SentRow[] | undefined {
  const last = rows.at(-1) ?? [];
  const missing = Math.max(0, most - rows.length);
  if (most > MAX_FILLED_ROWS || missing * stringifyExact(last).length > MAX_FILLED_BYTES) return undefined;
  return [...rows, ...Array.from({ length: missing }, () => last)];
}
