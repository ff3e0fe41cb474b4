import type { CollectionShape, ShapeOf } from '../../domain/records/shape.ts';
import * as is from '../../domain/records/shape.ts';
import { USAGE, type UsageDoc } from '../../domain/usage/sums.ts';

const sums: ShapeOf<UsageDoc> = {
  kind: is.oneOf('process', 'hour', 'day'),
  from: is.number,
  to: is.number,
  member: is.text,
  sources: is.texts,
  rows: is.jsonOf(is.arrayOf(is.object)),
  users: is.optional(is.texts),
};

export const usageShapes: Record<string, CollectionShape> = {
  [USAGE]: { family: 'usage', shape: sums },
};
