import protobuf from 'protobufjs/minimal.js';

/** Numbers of onnx.proto. */
const TYPES = { float: 1, int32: 6, int64: 7, string: 8, bool: 9, double: 11 } as const;
type Type = keyof typeof TYPES;

export interface Value {
  name: string;
  type: Type;
  /** A text is the name of a dynamic size. Undefined: no shape is declared. */
  dims: readonly (number | string)[] | undefined;
  /** Whether it is a sequence of such tensors. */
  isSequence?: true;
}

export interface Constant {
  name: string;
  type: 'float' | 'int64' | 'string' | 'bool';
  dims: readonly number[];
  values: readonly (number | bigint | string)[];
}

export interface Node {
  operator: string;
  inputs: readonly string[];
  outputs: readonly string[];
  domain?: string;
  attributes?: Readonly<Record<string, number | readonly string[] | readonly number[] | Graph>>;
}

export interface Graph {
  inputs: readonly Value[];
  outputs: readonly Value[];
  nodes: readonly Node[];
  constants?: readonly Constant[];
}

/** An ONNX file, written field by field. */
export function onnxFile(graph: Graph): Buffer {
  const opsets = ['', 'ai.onnx.ml'].map((domain) => message(8, text(1, domain), number(2, domain === '' ? 17 : 3)));
  return Buffer.concat([number(1, 8), message(7, graphBytes(graph)), ...opsets]);
}

const head = (id: number, wire: number) => protobuf.Writer.create().uint32((id << 3) | wire);
function number(id: number, value: number | bigint): Buffer {
  const bytes = [...head(id, 0).finish()];
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  return Buffer.from([...bytes, Number(rest)]);
}
const message = (id: number, ...parts: Uint8Array[]): Buffer =>
  Buffer.from(head(id, 2).bytes(Buffer.concat(parts)).finish());
const text = (id: number, value: string): Buffer => message(id, Buffer.from(value));

function graphBytes({ nodes, inputs, outputs, constants = [] }: Graph): Buffer {
  return Buffer.concat([
    ...nodes.map((node) => message(1, nodeBytes(node))),
    text(2, 'graph'),
    ...constants.map((constant) => message(5, constantBytes(constant))),
    ...inputs.map((value) => message(11, valueBytes(value))),
    ...outputs.map((value) => message(12, valueBytes(value))),
  ]);
}

function valueBytes({ name, type, dims, isSequence }: Value): Buffer {
  const shape = dims && [
    message(2, ...dims.map((size) => message(1, typeof size === 'number' ? number(1, size) : text(2, size)))),
  ];
  const tensor = message(1, number(1, TYPES[type]), ...(shape ?? []));
  return Buffer.concat([text(1, name), message(2, isSequence ? message(4, message(1, tensor)) : tensor)]);
}

function nodeBytes({ operator, inputs, outputs, domain, attributes = {} }: Node): Buffer {
  return Buffer.concat([
    ...inputs.map((name) => text(1, name)),
    ...outputs.map((name) => text(2, name)),
    text(4, operator),
    ...Object.entries(attributes).map(([name, value]) => message(5, text(1, name), ...attributeParts(value))),
    ...(domain === undefined ? [] : [text(7, domain)]),
  ]);
}

function attributeParts(value: NonNullable<Node['attributes']>[string]): Buffer[] {
  if (typeof value === 'number') return [number(3, value), number(20, 2)];
  if ('nodes' in value) return [message(6, graphBytes(value)), number(20, 5)];
  if (value.some((one) => typeof one === 'string')) return [...value.map((one) => text(9, String(one))), number(20, 8)];
  const isWhole = value.every((one) => Number.isInteger(one));
  if (isWhole) return [...value.map((one) => number(8, Number(one))), number(20, 7)];
  return [...value.map((one) => Buffer.from(head(7, 5).float(Number(one)).finish())), number(20, 6)];
}

function constantBytes({ name, type, dims, values }: Constant): Buffer {
  const data =
    type === 'string'
      ? values.map((one) => text(6, String(one)))
      : [message(9, type === 'bool' ? Buffer.from(values.map(Number)) : rawBytes(type, values))];
  return Buffer.concat([...dims.map((size) => number(1, size)), number(2, TYPES[type]), text(8, name), ...data]);
}

function rawBytes(type: 'float' | 'int64', values: Constant['values']): Buffer {
  const numbers = type === 'float' ? Float32Array.from(values, Number) : BigInt64Array.from(values, BigInt);
  return Buffer.from(numbers.buffer);
}
