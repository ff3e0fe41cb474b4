import type { Reader, Type } from 'protobufjs';

/** What stands at a place of the message. */
export interface Visit {
  /** Names of the message and its field: `Graph.inputs`. */
  at: string;
  depth: number;
  /** The message's own bytes (no copy); only for fields that hold messages. */
  bytes(): Uint8Array;
  /** The value of a field that holds no message. */
  value: string | number | undefined;
}

/** Subgraphs of subgraphs: real models have a few levels. Each level of graphs is three of messages. */
const MAX_DEPTH = 48;
/** Real models of this size have some thousands of messages. Each costs time, so their number has an end. */
const MAX_MESSAGES = 2_000_000;
/** Names; anything longer is none. */
const MAX_TEXT = 65_536;

export class WalkProblem extends Error {}

const [VARINT, LENGTH] = [0, 2];

/**
 * Goes through a message field by field and makes no objects of it: a file of two-byte messages would otherwise become a
 * hundred times its size in memory. Wire format and field types are the library's.
 * @param enter false = what is in there does not matter, pass over it
 * @throws WalkProblem, and the library's own errors for bytes that are no message
 */
export function walk(reader: Reader, type: Type, enter: (visit: Visit) => boolean): void {
  let messages = 0;

  function message(of: Type, end: number, depth: number): void {
    messages += 1;
    if (messages > MAX_MESSAGES) throw new WalkProblem(`has more than ${MAX_MESSAGES} parts`);
    if (depth > MAX_DEPTH) throw new WalkProblem(`is nested deeper than ${MAX_DEPTH} levels`);
    while (reader.pos < end) {
      const tag = reader.tag();
      const [id, wire] = [tag >>> 3, tag & 7];
      const field = of.fieldsById[id]?.resolve();
      if (!field) reader.skipType(wire, 0, id);
      else if (field.resolvedType) inner(field.resolvedType as Type, `${of.name}.${field.name}`, wire, depth);
      else scalar(field.type, `${of.name}.${field.name}`, wire, depth, id);
    }
    if (reader.pos !== end) throw new RangeError('a field is longer than what it is in');
  }

  function inner(of: Type, at: string, wire: number, depth: number): void {
    if (wire !== LENGTH) throw new WalkProblem(`has something else where ${at} should be`);
    const length = reader.size();
    const start = reader.pos;
    const end = start + length;
    const outer = reader.len;
    if (end > outer) throw new RangeError('a length goes beyond the end');
    const bytes = () => reader.buf.subarray(start, end);
    if (!enter({ at, depth, bytes, value: undefined })) {
      reader.pos = end;
      return;
    }
    reader.len = end;
    message(of, end, depth + 1);
    reader.len = outer;
  }

  function scalar(type: string, at: string, wire: number, depth: number, id: number): void {
    const bytes = () => new Uint8Array();
    if (type === 'string' && wire === LENGTH) {
      const start = reader.pos;
      if (reader.size() > MAX_TEXT) throw new WalkProblem(`has a name of more than ${MAX_TEXT} bytes`);
      reader.pos = start;
      enter({ at, depth, bytes, value: reader.string() });
    } else if (type === 'int32' && wire === VARINT) {
      enter({ at, depth, bytes, value: reader.int32() });
    } else {
      // A field of another wire type is not this field: the format says to pass over it.
      reader.skipType(wire, 0, id);
    }
  }

  message(type, reader.len, 0);
}
