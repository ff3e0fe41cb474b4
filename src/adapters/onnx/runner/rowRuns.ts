import type { InferenceSession, Tensor } from 'onnxruntime-web';
import type { FetchedOutput, OutputMessage, RefusedRow, RunOrder, TensorData } from './messages.ts';

/** Nothing is written: output on stderr would end a search. */
export const SILENT = { logSeverityLevel: 4 as const };
/** Size of all outputs of a call. The numbers of a call have a tenth of it; labels may be long. */
const MAX_ANSWER_BYTES = 134_217_728;
/** Words of the runtime and JavaScript when an allocation fails, or would not fit the address space. */
const OUT_OF_MEMORY = /bad_alloc|exceeds the supported maximum|allocation failed|invalid (typed )?array length/i;

/** Its outputs are not what predictions can be made of, whatever the values. */
class OutputProblem extends Error {}

export const isOutOfMemory = (error: unknown): boolean => OUT_OF_MEMORY.test(messageOf(error));
export const messageOf = (error: unknown): string => String((error as Error)?.message ?? error);

interface Run {
  /** Rows of the order, and how many the model is given: the last row is repeated. */
  from: number;
  to: number;
  size: number;
}

/**
 * Computes the outputs of all rows. Rows that the runtime refuses together are halved, down to single rows.
 * @throws OutputProblem, and what the runtime throws if it has crashed or not even one row fits its memory
 */
export async function runRows(
  session: InferenceSession,
  TensorOf: typeof Tensor,
  { inputs, rows, block, fetch }: RunOrder,
): Promise<{ outputs: Record<string, OutputMessage>; refused: RefusedRow[] }> {
  const joining = fetch.map((output) => ({ ...output, type: '', pieces: [] as TensorData[], width: 0, rank: 0 }));
  const names = fetch.map(({ name }) => name);
  const refused: RefusedRow[] = [];
  let bytes = 0;

  async function run(from: number, to: number): Promise<void> {
    const size = block ?? to - from;
    const outputs = await answer({ from, to, size });
    if (!outputs) {
      const middle = Math.ceil((from + to) / 2);
      if (to - from === 1) return;
      await run(from, middle);
      return run(middle, to);
    }
    for (const output of joining) {
      const tensor = outputs[output.name] as Tensor;
      if (size > 1 && tensor.dims[0] !== size) {
        throw new OutputProblem(`the output ${output.name} has no value for each row`);
      }
      const kept = someColumns(tensor.data as unknown as TensorData, { output, size, count: to - from });
      bytes += sizeOf(kept.data);
      if (bytes > MAX_ANSWER_BYTES)
        throw new OutputProblem(`${rows} rows have outputs of more than ${MAX_ANSWER_BYTES} bytes`);
      if (output.pieces.length > 0 && kept.width !== output.width) {
        // Joined, they would be the values of other rows.
        throw new OutputProblem(
          `the output ${output.name} has ${output.width} values for some rows and ${kept.width} for others`,
        );
      }
      output.type = tensor.type;
      output.width = kept.width;
      output.rank = tensor.dims.length;
      output.pieces.push(kept.data);
    }
  }

  /** Undefined if the rows are refused. */
  async function answer(of: Run): Promise<Readonly<Record<string, unknown>> | undefined> {
    const feeds = Object.entries(inputs).map(([name, { type, rowShape, hasRows, data }]) => {
      const dims = hasRows ? [of.size, ...rowShape] : rowShape;
      return [name, new TensorOf(type as 'string', someRows(data, data.length / rows, of) as string[], dims)];
    });
    try {
      return await session.run(Object.fromEntries(feeds), names, SILENT);
    } catch (error) {
      const isOne = of.to - of.from === 1;
      if (error instanceof WebAssembly.RuntimeError || (isOne && isOutOfMemory(error))) throw error;
      if (isOne) refused.push({ row: of.from, error: messageOf(error) });
      return undefined;
    }
  }

  for (let from = 0; from < rows; from += block ?? rows) await run(from, Math.min(from + (block ?? rows), rows));
  if (refused.length === rows) return { outputs: {}, refused };
  const outputs = joining.map(
    ({ name, type, width, rank, pieces }) => [name, { type, width, rank, data: joined(pieces) }] as const,
  );
  return { outputs: Object.fromEntries(outputs), refused };
}

/** Some rows of an input, filled up with the last of them. */
function someRows(data: TensorData, width: number, { from, to, size }: Run): TensorData {
  const [start, end] = [from * width, to * width];
  if (start === 0 && size * width === data.length) return data;
  if (!ArrayBuffer.isView(data)) {
    const some = data.slice(start, end);
    const last = some.slice(some.length - width);
    return Array.from({ length: size * width }, (_, index) => some[index] ?? (last[index % width] as string));
  }
  const some = new (data.constructor as Float32ArrayConstructor)(size * width) as unknown as Float32Array;
  const source = data as unknown as Float32Array;
  some.set(source.subarray(start, end));
  for (let index = end - start; index < some.length; index += width) some.set(source.subarray(end - width, end), index);
  return some as unknown as TensorData;
}

/** The first columns of an output, and of its rows those that are not filled up. */
function someColumns(
  data: TensorData,
  { output, size, count }: { output: FetchedOutput; size: number; count: number },
): { data: TensorData; width: number } {
  const dataWidth = data.length / size;
  if (output.isWhole && dataWidth > output.columns) {
    throw new OutputProblem(
      `the output ${output.name} has ${dataWidth} values for each row; it may have ${output.columns}`,
    );
  }
  const width = Math.min(dataWidth, output.columns);
  if (width === dataWidth) return { width, data: count === size ? data : (data.slice(0, count * width) as TensorData) };
  const kept: TensorData = Array.isArray(data)
    ? new Array<string>(count * width)
    : new (data.constructor as Float32ArrayConstructor)(count * width);
  const writable = kept as (number | string)[];
  for (let row = 0, index = 0; row < count; row += 1) {
    for (let column = 0; column < width; column += 1) writable[index++] = data[row * dataWidth + column] as number;
  }
  return { width, data: kept };
}

function sizeOf(data: TensorData): number {
  if (ArrayBuffer.isView(data)) return data.byteLength;
  return data.reduce((sum, text) => sum + text.length, 0);
}

function joined(pieces: readonly TensorData[]): TensorData {
  const [first] = pieces as [TensorData];
  if (pieces.length === 1) return first;
  if (!ArrayBuffer.isView(first)) return (pieces as readonly string[][]).flat();
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const whole = new (first.constructor as Float32ArrayConstructor)(length);
  let offset = 0;
  for (const piece of pieces as unknown as readonly Float32Array[]) {
    whole.set(piece, offset);
    offset += piece.length;
  }
  return whole as unknown as TensorData;
}
