import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import protobuf from 'protobufjs/minimal.js';

/** A model of test/fixtures/onnx, made by make.py. */
export const fixture = (name: string): Buffer =>
  readFileSync(join(import.meta.dirname, '../../fixtures/onnx', `${name}.onnx`));

/** Another model of the size of `linear`: only a weight differs, so that nothing but the whole file tells which is which. */
export function retrained(): Buffer {
  const model = Buffer.from(fixture('linear'));
  const weight = model.lastIndexOf(Buffer.from([0x3f]));
  if (weight < 0) throw new Error('the fixture has no such weight');
  model[weight] = 0x3e;
  return model;
}

/** One length-delimited field. */
function field(id: number, bytes: Uint8Array): Buffer {
  return Buffer.from(
    protobuf.Writer.create()
      .uint32((id << 3) | 2)
      .bytes(bytes)
      .finish(),
  );
}

const UINT8 = 2;

/** A good model of exactly so many bytes: fields of one message may stand in several pieces, so more weights follow it. */
export function modelOf(size: number): Buffer {
  const model = fixture('linear');
  const of = (weights: number) => {
    const head = protobuf.Writer.create().uint32(8).uint32(weights).uint32(16).uint32(UINT8).finish();
    return field(7, field(5, Buffer.concat([head, field(8, Buffer.from('more')), field(9, Buffer.alloc(weights, 7))])));
  };
  const most = size - model.length;
  const weights = most - (of(most).length - most);
  const piece = of(weights);
  const rest = size - model.length - piece.length;
  // A few bytes of documentation fill what the lengths of lengths leave open.
  const filler = rest === 0 ? Buffer.alloc(0) : field(6, Buffer.alloc(rest - 2, 0x20));
  return Buffer.concat([model, piece, filler]);
}

export interface Hostile {
  what: string;
  /** Made when it is needed: all of them take a gigabyte. */
  bytes: () => Buffer;
}

const MEGABYTE = 1024 * 1024;
const repeated = (bytes: readonly number[], size: number) => {
  const buffer = Buffer.alloc(Math.floor(size / bytes.length) * bytes.length);
  return buffer.fill(Buffer.from(bytes));
};

/** An attribute holds a graph holds a node holds an attribute …: nothing but the heads of fields, from the inside out. */
function nested(levels: number): Buffer {
  const heads: Uint8Array[] = [];
  let length = 0;
  for (let level = 0; level < levels; level += 1) {
    for (const id of [6, 5, 1]) {
      const head = protobuf.Writer.create()
        .uint32((id << 3) | 2)
        .uint32(length)
        .finish();
      heads.push(head);
      length += head.length;
    }
  }
  return Buffer.concat(heads.reverse());
}

/** Files that try to take more than their size in time, memory or stack. */
export function hostileFiles(size = 30 * MEGABYTE): Hostile[] {
  const head = Buffer.concat([Buffer.from([0x08, 8]), field(8, Buffer.from([0x10, 17]))]);
  const ends = Buffer.concat([field(11, field(1, Buffer.from('X'))), field(12, field(1, Buffer.from('Y')))]);
  const withGraph = (graph: Buffer) => Buffer.concat([head, field(7, Buffer.concat([ends, graph]))]);
  const room = size - 200;
  return [
    { what: 'millions of empty nodes', bytes: () => withGraph(repeated([0x0a, 0x00], room)) },
    { what: 'millions of empty initializers', bytes: () => withGraph(repeated([0x2a, 0x00], room)) },
    { what: 'millions of inputs', bytes: () => withGraph(repeated([0x5a, 0x00], room)) },
    { what: 'millions of operator sets', bytes: () => Buffer.concat([head, repeated([0x42, 0x00], room)]) },
    { what: 'millions of graphs', bytes: () => Buffer.concat([head, repeated([0x3a, 0x00], room)]) },
    {
      what: 'an input of millions of dimensions',
      bytes: () => withGraph(field(11, field(2, field(1, field(2, repeated([0x0a, 0x00], room)))))),
    },
    { what: 'graphs nested twenty thousand deep', bytes: () => withGraph(nested(20_000)) },
    { what: 'groups nested without end', bytes: () => Buffer.concat([head, repeated([0x7b], room)]) },
    {
      what: 'a length of two gigabytes',
      bytes: () => Buffer.concat([head, Buffer.from([0x3a, 0xff, 0xff, 0xff, 0xff, 0x07]), ends]),
    },
    { what: 'a length of 2^63', bytes: () => Buffer.concat([head, Buffer.from([0x3a, ...Array(9).fill(0xff), 0x01])]) },
    { what: 'a name of many megabytes', bytes: () => withGraph(field(5, field(8, Buffer.alloc(room - 100, 0x61)))) },
    { what: 'an endless number', bytes: () => Buffer.concat([head, Buffer.alloc(room, 0xff)]) },
    { what: 'zeroes', bytes: () => Buffer.alloc(size) },
    {
      what: 'random bytes',
      bytes: () =>
        repeated(
          Array.from({ length: 4099 }, (_, index) => (index * index * 31) % 251),
          size,
        ),
    },
    { what: 'text', bytes: () => Buffer.from('not a model '.repeat(1000)) },
    { what: 'nothing', bytes: () => Buffer.alloc(0) },
    { what: 'a graph longer than the file', bytes: () => Buffer.concat([head, Buffer.from([0x3a, 0x7f]), ends]) },
  ];
}

/** A good model of which almost all is the numbers of a decision tree, each a field of its own as converters write them. */
export function modelOfTrees(size = 30 * MEGABYTE): Buffer {
  const numbers = field(1, field(5, repeated([0x40, 0x01], size - 1000)));
  return Buffer.concat([fixture('linear'), field(7, numbers)]);
}

/** Files of millions of values: small, harmless one by one, good or bad. */
export function filesOfValues(size = 30 * MEGABYTE): Hostile[] {
  const model = fixture('linear');
  const [room, most] = [size - 1000, 65_000];
  const after = (bytes: readonly number[]) => Buffer.concat([model, repeated(bytes, room)]);
  const inGraph = (bytes: Buffer) => Buffer.concat([model, field(7, bytes)]);
  const inTensor = (bytes: readonly number[]) => inGraph(field(5, repeated(bytes, room)));
  const inputs = (bytes: Buffer) =>
    inGraph(repeated([...field(11, Buffer.concat([field(1, Buffer.from('Z')), bytes]))], room));
  return [
    { what: 'IR versions', bytes: () => after([0x08, 0x08]) },
    { what: 'unknown numbers', bytes: () => after([0x28, 0x08]) },
    { what: 'unknown numbers of two bytes', bytes: () => after([0x28, 0x80, 0x01]) },
    { what: 'unknown fields with numbers beyond 15', bytes: () => after([0xa8, 0x01, 0x00]) },
    { what: 'empty texts', bytes: () => inGraph(repeated([0x52, 0x00], room)) },
    { what: 'groups', bytes: () => inGraph(repeated([0x23, 0x24], room)) },
    { what: 'names', bytes: () => inTensor([0x42, 0x00]) },
    { what: 'names that are numbers', bytes: () => inTensor([0x40, 0x00]) },
    { what: 'locations', bytes: () => inTensor([0x70, 0x00]) },
    { what: 'weights, each a field of its own', bytes: () => inTensor([0x28, 0x00]) },
    { what: 'tensors with a name', bytes: () => inGraph(repeated([...field(5, field(8, Buffer.from('name')))], room)) },
    { what: 'types of inputs', bytes: () => inputs(repeated([0x12, 0x00], most)) },
    { what: 'names of inputs', bytes: () => inputs(repeated([0x0a, 0x01, 0x41], most)) },
    {
      what: 'versions of operator sets',
      bytes: () => Buffer.concat([model, repeated([...field(8, repeated([0x10, 0x11], most))], room)]),
    },
  ];
}
