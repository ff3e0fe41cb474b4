import type { Caller } from '../../contract/caller.ts';
import { Fault, invalid, type Problem } from '../../contract/codes/faults.ts';
import { modelFileName } from '../../contract/families/models.ts';
import { startDeadline } from '../../domain/async/deadline.ts';
import type { ModelFacts, ModelInspector } from '../../ports/onnx/modelInspector.ts';
import type { OnnxRuntime, OnnxValue } from '../../ports/onnx/onnxRuntime.ts';
import type { Clock } from '../../ports/platform/clock.ts';
import type { LookupFiles } from '../../ports/stores/lookupFiles.ts';
import { MAX_FEATURES, type ModelFile, modelFiles, writeFile } from './files.ts';
import type { UploadInput } from './schemas.ts';
import type { Signature, StoredTensor } from './stored.ts';
import { APP, digestOf, isDescribed, lookupOwner, ONNX, type UploadedModels } from './uploaded.ts';

export interface UploadResult {
  file: ModelFile;
  facts: ModelFacts;
  signature: Signature;
}

/** Loading 30 MB takes 3 s on a busy machine; Splunk Web ends a call after 30 s. */
const CHECK_MS = 20_000;

/** Checks of a file before it is stored. */
export interface ModelChecks {
  inspector: ModelInspector;
  runtime: OnnxRuntime;
}

export class ModelUpload {
  readonly #uploaded: UploadedModels;
  readonly #clock: Clock;
  readonly #lookups: LookupFiles;
  readonly #checks: ModelChecks;

  constructor(uploaded: UploadedModels, clock: Clock, lookups: LookupFiles, checks: ModelChecks) {
    this.#uploaded = uploaded;
    this.#clock = clock;
    this.#lookups = lookups;
    this.#checks = checks;
  }

  /** @throws Fault `validation_failed`, `already_exists`, `acl_denied`, `model_not_runnable` */
  async upload(caller: Caller, input: UploadInput, bytes: Uint8Array): Promise<UploadResult> {
    const names = namesOf(input);
    const facts = await this.#checks.inspector.inspect(bytes);
    assertFits(names.features, facts);
    const { model_name, sharing = 'user' } = input;
    const overwrite = input.overwrite === true || input.overwrite === 'true' || input.overwrite === '1';
    const owner = sharing === 'user' ? caller.user : 'nobody';
    const existing = await this.#named(model_name);
    if (existing.length > 0 && !overwrite) throw exists(model_name);
    const old = existing.find((file) => lookupOwner(file) === owner);
    const signature = await this.#signatureOf(bytes, names);
    const name = modelFileName(model_name, ONNX);
    const content = {
      ...names,
      ...signature,
      ...(input.file_name ? { file_name: input.file_name } : {}),
      uploaded_at: this.#clock.now() / 1000,
      uploaded_by: caller.user,
      size_bytes: bytes.byteLength,
      sha256: digestOf(bytes),
    };
    const isWritten = await this.#uploaded.put({ model: model_name, owner: owner }, content, () =>
      writeFile(this.#lookups, { name, app: APP, owner: owner }, bytes, { overwrite, seen: old }),
    );
    if (!isWritten) throw exists(model_name);
    return { file: await this.#made(model_name, owner), facts, signature };
  }

  /** The signature that the runtime reports after it has tried the model. */
  async #signatureOf(bytes: Uint8Array, names: Names): Promise<Signature> {
    using deadline = startDeadline(CHECK_MS);
    const { inputs, outputs } = await this.#checks.runtime.check(bytes, names, deadline);
    return { inputs: inputs.map(tensorOf), outputs: outputs.map(tensorOf) };
  }

  /** The upload is done, so a failure to list the file must not fail the request. */
  async #made(model: string, owner: string): Promise<ModelFile> {
    const files = await this.#named(model).catch(() => []);
    const sharing = owner === 'nobody' ? 'app' : 'user';
    const written = {
      name: modelFileName(model, ONNX),
      app: APP,
      owner: owner,
      sharing,
      canWrite: true,
      path: '',
    } as const;
    return files.find((candidate) => lookupOwner(candidate) === owner) ?? { ...written, model, extension: ONNX };
  }

  async #named(model: string): Promise<ModelFile[]> {
    const files = await modelFiles(this.#lookups, model);
    return files.filter((file) => file.model === model && isDescribed(file));
  }
}

const tensorOf = ({ name, type, shape }: OnnxValue): StoredTensor => ({
  name,
  type: type ?? null,
  shape: shape ?? null,
});

const exists = (model: string) =>
  new Fault('already_exists', `A model named ${model} already exists. Use overwrite=true to replace it.`);

interface Names {
  features: string[];
  targets: string[];
}

/** Features and targets as lists. @throws Fault `validation_failed` */
export function namesOf(input: Pick<UploadInput, 'features' | 'targets'>): Names {
  const [features, targets] = [listOf(input.features), listOf(input.targets)];
  const problems = [...problemsOf('features', features), ...problemsOf('targets', targets)];
  if (features.length === 0) problems.push({ field: 'features', message: 'must not be empty' });
  if (problems.length > 0) throw invalid(problems);
  return { features, targets };
}

/** A form has only texts, so a list can also be comma-separated or JSON. */
function listOf(names: string | string[]): string[] {
  if (typeof names !== 'string') return names.map((name) => name.trim());
  if (names.trim() === '') return [];
  return listInJson(names) ?? names.split(',').map((name) => name.trim());
}

function listInJson(text: string): string[] | undefined {
  if (!text.trimStart().startsWith('[')) return undefined;
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) && list.every((item) => typeof item === 'string') ? list : undefined;
  } catch {
    return undefined;
  }
}

function problemsOf(field: string, names: readonly string[]): Problem[] {
  if (names.includes('')) return [{ field, message: 'has an empty name' }];
  if (names.length > MAX_FEATURES) return [{ field, message: `must have at most ${MAX_FEATURES} names` }];
  return new Set(names).size < names.length ? [{ field, message: 'has the same name twice' }] : [];
}

/** One feature for each value of the first input, or one for each value of all inputs. */
function assertFits(features: readonly string[], { inputs }: ModelFacts): void {
  const [first] = inputs;
  const width = first && widthOf(first.dims);
  if (width === undefined || width.includes(features.length)) return;
  if (inputs.length > 1) {
    const widths = inputs.map(({ dims }) => widthOf(dims)?.[0]);
    if (widths.includes(undefined)) return;
    const totalWidth = widths.reduce<number>((sum, width) => sum + (width ?? 0), 0);
    if (totalWidth === features.length) return;
  }
  const message = `are ${features.length}, but the first input of the model, ${first?.name}, takes ${width[0]}`;
  throw invalid([{ field: 'features', message }]);
}

/** Possible numbers of values in a row; undefined for dynamic dimensions. The first of several dimensions is the batch. */
function widthOf(dims: readonly (number | null)[] | undefined): number[] | undefined {
  const row = dims && (dims.length > 1 ? dims.slice(1) : dims);
  if (!row || row.length === 0 || row.includes(null)) return undefined;
  const sizes = row as number[];
  return [sizes.reduce((product, size) => product * size, 1), sizes.at(-1) ?? 1];
}
