import { type Graph, type Node, onnxFile, type Value } from '../../support/models/onnxModel.ts';

const X: Value = { name: 'X', type: 'float', dims: ['rows', 3] };
const Y: Value = { name: 'Y', type: 'float', dims: ['rows', 'columns'] };
const graph = (nodes: Node[], constants: Graph['constants'] = []): Graph => ({
  inputs: [X],
  outputs: [Y],
  nodes,
  constants,
});
const node = (operator: string, inputs: string[], output: string, attributes: Node['attributes'] = {}): Node => ({
  operator,
  inputs,
  outputs: [output],
  attributes,
});

/** Adds one as long as its condition holds, which is always. */
const body: Graph = {
  inputs: [
    { name: 'i', type: 'int64', dims: [] },
    { name: 'c', type: 'bool', dims: [] },
    { name: 'v', type: 'float', dims: ['rows', 3] },
  ],
  outputs: [
    { name: 'c2', type: 'bool', dims: [] },
    { name: 'v2', type: 'float', dims: ['rows', 3] },
  ],
  nodes: [node('Identity', ['c'], 'c2'), node('Add', ['v', 'one'], 'v2')],
};
const loopConstants: Graph['constants'] = [
  { name: 'M', type: 'int64', dims: [], values: [2n ** 63n - 1n] },
  { name: 'C', type: 'bool', dims: [], values: [1] },
  { name: 'one', type: 'float', dims: [], values: [1] },
];

export const endless = (): Buffer => onnxFile(graph([node('Loop', ['M', 'C', 'X'], 'Y', { body })], loopConstants));

/** A model of 150 bytes that makes a constant of 1.6 GB. */
export const hugeConstant = (size = 400_000_000n): Buffer =>
  onnxFile(
    graph(
      [
        node('ConstantOfShape', ['S'], 'B'),
        node('ReduceSum', ['B'], 'R', { keepdims: 0 }),
        node('Add', ['X', 'R'], 'Y'),
      ],
      [{ name: 'S', type: 'int64', dims: [1], values: [size] }],
    ),
  );

/** A model of about 150 bytes with 12 million values for a row. */
export const wideOutput = (): Buffer =>
  onnxFile(graph([node('Tile', ['X', 'T'], 'Y')], [{ name: 'T', type: 'int64', dims: [2], values: [1n, 4_000_000n] }]));

/** Adds one as often as its feature says, in the rows of a run together: a large number does not end. */
export const slowWhereLarge = (): Buffer =>
  onnxFile({
    ...graph(
      [
        node('ReduceMax', ['X'], 'max', { keepdims: 0 }),
        node('Cast', ['max'], 'count', { to: 7 }),
        node('Loop', ['count', 'C', 'X'], 'Y', { body }),
      ],
      loopConstants.slice(1),
    ),
  });

/** Picks a value from a list of three by its index, and refuses any other index. */
export const picking = (): Buffer =>
  onnxFile({
    inputs: [{ name: 'X', type: 'int64', dims: ['rows'] }],
    outputs: [{ name: 'Y', type: 'float', dims: ['rows'] }],
    nodes: [node('Gather', ['values', 'X'], 'Y')],
    constants: [{ name: 'values', type: 'float', dims: [3], values: [0.5, 1.5, 2.5] }],
  });

/** Needs 300 KB for a row on the way, and answers their number. */
export const heavy = (): Buffer =>
  onnxFile(
    graph(
      [node('Tile', ['X', 'T'], 'B'), node('ReduceMax', ['B'], 'Y', { axes: [1] })],
      [{ name: 'T', type: 'int64', dims: [2], values: [1n, 25_000n] }],
    ),
  );

/** Answers 30,000 million values for a row. */
export const hugeOutput = (): Buffer =>
  onnxFile(
    graph([node('Tile', ['X', 'T'], 'Y')], [{ name: 'T', type: 'int64', dims: [2], values: [100_000n, 100_000n] }]),
  );

export const unknownOperator = (): Buffer => onnxFile(graph([node('Unheard', ['X'], 'Y')]));

/** Each of 500,000 operators waits for the one before it: the runtime's planning takes minutes. */
export function deep(): Buffer {
  const count = 500_000;
  const nodes = Array.from({ length: count }, (_, index) =>
    node('Neg', [index === 0 ? 'X' : `t${index}`], index === count - 1 ? 'Y' : `t${index + 1}`),
  );
  return onnxFile(graph(nodes));
}
