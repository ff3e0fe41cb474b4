import { MAX_CLASSES, type ValueMessage } from './messages.ts';
import { fieldsOf, LONGEST_VARINT, packedIntegers, type WireField } from './wire.ts';

/** Fields of the messages of onnx.proto. */
const MODEL = { graph: 7 };
const GRAPH = { node: 1, initializer: 5 };
const NODE = { input: 1, output: 2, operator: 4, attribute: 5 };
const ATTRIBUTE = { name: 1, ints: 8, strings: 9 };
const TENSOR = { dims: 1, type: 2, int32s: 5, strings: 6, int64s: 7, name: 8, raw: 9 };
const TYPE = { int32: 6, int64: 7, string: 8 };

const LABEL_TYPES = new Set(['int64', 'int32', 'string']);
const LABELS = 'classlabels_';
/** Operators that pick a class from their first input by its index. */
const PICKING = new Set(['ArrayFeatureExtractor', 'Gather']);

interface Node {
  inputs: string[];
  operator: string;
  labels: string[] | undefined;
}

interface Graph {
  /** By name of an output. */
  producers: Map<string, Node>;
  initializers: Map<string, Uint8Array>;
}

/**
 * Finds the names of classes: the `classlabels_*` of the nearest classifier behind each label, or the constant from which the
 * label is picked.
 */
export function classesBehind(file: Uint8Array, outputs: readonly ValueMessage[]): Record<string, string[]> {
  const labels = outputs.filter(({ type }) => type !== undefined && LABEL_TYPES.has(type));
  if (labels.length === 0) return {};
  const graph = readGraph(file);
  return Object.fromEntries(
    labels.flatMap(({ name }) => {
      const classes = behind(name, graph);
      return classes ? [[name, classes]] : [];
    }),
  );
}

/** Breadth first, so the nearest is found. */
function behind(label: string, { producers, initializers }: Graph): string[] | undefined {
  const waiting = new Set([label]);
  for (const name of waiting) {
    const node = producers.get(name);
    if (!node) continue;
    if (node.labels) return node.labels;
    const constant = PICKING.has(node.operator) ? initializers.get(node.inputs[0] ?? '') : undefined;
    const classes = constant && classesIn(constant);
    if (classes) return classes;
    for (const input of node.inputs) waiting.add(input);
  }
  return undefined;
}

function readGraph(file: Uint8Array): Graph {
  const graph: Graph = { producers: new Map(), initializers: new Map() };
  for (const { id, bytes } of fieldsOf(file)) {
    if (id !== MODEL.graph) continue;
    for (const part of fieldsOf(bytes)) {
      if (part.id === GRAPH.node) addNode(part.bytes, graph.producers);
      else if (part.id === GRAPH.initializer) graph.initializers.set(nameOf(part.bytes, TENSOR.name), part.bytes);
    }
  }
  return graph;
}

function addNode(bytes: Uint8Array, producers: Map<string, Node>): void {
  const node: Node = { inputs: [], operator: '', labels: undefined };
  for (const field of fieldsOf(bytes)) {
    if (field.id === NODE.input) node.inputs.push(textOf(field));
    else if (field.id === NODE.output) producers.set(textOf(field), node);
    else if (field.id === NODE.operator) node.operator = textOf(field);
    else if (field.id === NODE.attribute) node.labels ??= labelsIn(field.bytes);
  }
}

/** The attributes of a forest have millions of numbers: one with another name is not read further. */
function labelsIn(attribute: Uint8Array): string[] | undefined {
  if (!nameOf(attribute, ATTRIBUTE.name).startsWith(LABELS)) return undefined;
  const labels: string[] = [];
  for (const field of fieldsOf(attribute)) {
    if (field.id === ATTRIBUTE.strings) labels.push(textOf(field));
    else if (field.id === ATTRIBUTE.ints && field.bytes.length <= MAX_CLASSES * LONGEST_VARINT) {
      labels.push(...integersOf(field).map(String));
    }
    if (labels.length > MAX_CLASSES) return undefined;
  }
  return labels.length > 0 ? labels : undefined;
}

function nameOf(message: Uint8Array, id: number): string {
  for (const field of fieldsOf(message)) if (field.id === id) return textOf(field);
  return '';
}

/** Undefined unless it is a list of texts or integers. */
function classesIn(tensor: Uint8Array): string[] | undefined {
  const fields = [...fieldsOf(tensor)];
  const dims = fields.filter(({ id }) => id === TENSOR.dims).flatMap(integersOf);
  const size = dims.reduce((product, dim) => product * Number(dim), 1);
  if (dims.length === 0 || size > MAX_CLASSES || dims.filter((dim) => dim !== 1n).length > 1) return undefined;
  const type = Number(fields.find(({ id }) => id === TENSOR.type)?.value ?? 0n);
  const raw = fields.find(({ id }) => id === TENSOR.raw)?.bytes;
  const of = (wanted: number) => fields.filter(({ id }) => id === wanted);
  const classes =
    type === TYPE.string
      ? of(TENSOR.strings).map(textOf)
      : type === TYPE.int64
        ? [...(raw ? rawIntegers(raw, 8) : of(TENSOR.int64s).flatMap(integersOf))].map(String)
        : type === TYPE.int32
          ? [...(raw ? rawIntegers(raw, 4) : of(TENSOR.int32s).flatMap(integersOf))].map(String)
          : [];
  return classes.length === size ? classes : undefined;
}

/** Little-endian numbers. */
function rawIntegers(raw: Uint8Array, width: 4 | 8): (number | bigint)[] {
  const view = new DataView(raw.buffer, raw.byteOffset, raw.byteLength);
  return Array.from({ length: Math.floor(raw.byteLength / width) }, (_, index) =>
    width === 8 ? view.getBigInt64(index * 8, true) : view.getInt32(index * 4, true),
  );
}

/** A repeated number is packed, or one field for each. */
const integersOf = ({ bytes, value }: WireField): bigint[] =>
  bytes.length > 0 ? packedIntegers(bytes) : [BigInt.asIntN(64, value)];

const textOf = ({ bytes }: WireField): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
