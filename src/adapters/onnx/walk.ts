import type { Reader, Type } from 'protobufjs';

export interface Visit {
  /** Names of the message and its field: `Graph.inputs`. */
  path: string;
  depth: number;
  /** The bytes of a message field, without a copy. */
  bytes(): Uint8Array;
  /** The value of a field that is not a message. */
  value: string | number | undefined;
}

/** Each level of subgraphs has three levels of messages; real models nest a few subgraphs. */
const MAX_DEPTH = 48;
/** Limit of visited messages and values; real models have some thousands. */
const MAX_PARTS = 2_000_000;
/** Longest name. */
const MAX_TEXT = 65_536;

export class WalkProblem extends Error {}

const [VARINT, FIXED64, LENGTH, GROUP, GROUP_END, FIXED32] = [0, 1, 2, 3, 4, 5];
/** Continuation bit of a varint. */
const MORE = 0x80;
const MAX_VARINT = 10;
/** More than the tags of the schema, whose highest field number is 25. */
const TAGS = 256;
const UNKNOWN = TAGS - 8;
const DULL_WIRES = [VARINT, FIXED64, LENGTH, FIXED32];

interface FieldRule {
  path: string;
  wire: number;
  /** Type of a field that holds messages. */
  message: Type | undefined;
}

interface Fields {
  /** By field number. */
  types: readonly (FieldRule | undefined)[];
  /** By tag: 1 = the field is skipped. */
  isSkipped: Uint8Array;
}

/**
 * Visits a message field by field without decoding it to objects, which could take a hundred times the file's size.
 * @param enter returns false to skip the contents of a message
 * @throws WalkProblem, and the library's errors for invalid messages
 */
export function walk(reader: Reader, type: Type, enter: (visit: Visit) => boolean): void {
  const schema = new Map<Type, Fields>();
  const { buf } = reader;
  let parts = 0;

  function message(of: Type, end: number, depth: number): void {
    count();
    if (depth > MAX_DEPTH) throw new WalkProblem(`is nested deeper than ${MAX_DEPTH} levels`);
    const { types, isSkipped } = fieldsOf(schema, of);
    let pos = reader.pos;
    while (pos < end) {
      pos = skipUnknown(buf, isSkipped, pos, end);
      reader.pos = pos;
      if (pos === end) break;
      const tag = reader.tag();
      const [id, wire] = [tag >>> 3, tag & 7];
      const field = types[id];
      if (field?.message && wire !== LENGTH) throw new WalkProblem(`has something else where ${field.path} should be`);
      if (field?.wire !== wire) skip(id, wire);
      else if (field.message) inner(field.message, field.path, depth);
      else scalar(field, depth);
      pos = reader.pos;
    }
    if (pos !== end) throw new RangeError('a field is longer than the message around it');
  }

  function skip(id: number, wire: number): void {
    // ONNX does not use the deprecated groups.
    if (wire === GROUP || wire === GROUP_END) throw new WalkProblem('has a group, which does not occur in models');
    reader.skipType(wire, 0, id);
  }

  function count(): void {
    parts += 1;
    if (parts > MAX_PARTS) throw new WalkProblem(`has more than ${MAX_PARTS} parts`);
  }

  function inner(of: Type, path: string, depth: number): void {
    const length = reader.size();
    const start = reader.pos;
    const end = start + length;
    const outer = reader.len;
    if (end > outer) throw new RangeError('a length goes beyond the end');
    const bytes = () => buf.subarray(start, end);
    if (!enter({ path, depth, bytes, value: undefined })) {
      count();
      reader.pos = end;
      return;
    }
    reader.len = end;
    message(of, end, depth + 1);
    reader.len = outer;
  }

  function scalar({ path, wire }: FieldRule, depth: number): void {
    count();
    const bytes = () => new Uint8Array();
    if (wire === VARINT) {
      enter({ path, depth, bytes, value: reader.int32() });
      return;
    }
    const start = reader.pos;
    if (reader.size() > MAX_TEXT) throw new WalkProblem(`has a name of more than ${MAX_TEXT} bytes`);
    reader.pos = start;
    enter({ path, depth, bytes, value: reader.string() });
  }

  message(type, reader.len, 0);
}

/** Position of the next relevant field, or the end. A tight loop, since decision trees have millions of number fields. */
function skipUnknown(buf: Uint8Array, isSkipped: Uint8Array, from: number, end: number): number {
  let pos = from;
  while (pos < end - 1) {
    let tag = buf[pos] as number;
    let next = pos + 1;
    for (let shift = 7; tag >>> shift; shift += 7) {
      // The library handles longer encodings.
      if (shift > 21 || next >= end) return pos;
      tag = (tag & ((1 << shift) - 1)) | ((buf[next] as number) << shift);
      next += 1;
    }
    // Tags above the table are unknown fields.
    if (isSkipped[tag < isSkipped.length ? tag : (tag & 7) | UNKNOWN] !== 1) return pos;
    const wire = tag & 7;
    if (wire === VARINT) {
      while (next < end && (buf[next] as number) >= MORE) next += 1;
      next += 1;
      if (next - pos > 1 + MAX_VARINT) return pos;
    } else if (wire === LENGTH) {
      const length = buf[next] as number;
      if (length >= MORE) return pos;
      next += 1 + length;
    } else {
      next += wire === FIXED32 ? 4 : 8;
    }
    // The library refuses a field that exceeds the message.
    if (next > end) return pos;
    pos = next;
  }
  return pos;
}

function fieldsOf(schema: Map<Type, Fields>, of: Type): Fields {
  const made = schema.get(of);
  if (made) return made;
  const types: (FieldRule | undefined)[] = [];
  for (const field of of.fieldsArray) {
    const { id, type, resolvedType } = field.resolve();
    const path = `${of.name}.${field.name}`;
    if (resolvedType) types[id] = { path, wire: LENGTH, message: resolvedType as Type };
    else if (type === 'string') types[id] = { path, wire: LENGTH, message: undefined };
    else if (type === 'int32') types[id] = { path, wire: VARINT, message: undefined };
  }
  const isDull = (tag: number): boolean => {
    if (tag < 8 || !DULL_WIRES.includes(tag & 7)) return false;
    const field = types[tag >>> 3];
    // Protobuf: skip a field with another wire type.
    return !field || (!field.message && field.wire !== (tag & 7));
  };
  const fields = { types, isSkipped: Uint8Array.from({ length: TAGS }, (_, tag) => Number(isDull(tag))) };
  schema.set(of, fields);
  return fields;
}
