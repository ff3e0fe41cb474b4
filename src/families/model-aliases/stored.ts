import type { Sealed } from '../../domain/records/sealedRecord.ts';
import * as is from '../../domain/records/shape.ts';
import { ACL, type CollectionShape, SEALED, type ShapeOf } from '../../domain/records/shape.ts';
import type { AliasRecord } from './schemas.ts';

export const FAMILY = 'model_aliases';
export const MODEL_ALIASES = 'ml_model_aliases';

export interface AliasStored extends Sealed, AliasRecord {}
export type AliasTarget = AliasStored['targets'][number];

const alias: ShapeOf<AliasStored> = {
  ...SEALED,
  name: is.text,
  description: is.text,
  targets: is.arrayOf(is.fields<AliasTarget>({ service: is.text, connection_name: is.text, model: is.text })),
  strategy: is.text,
  fallback_on: is.texts,
  defaults: is.fields<AliasStored['defaults']>({}),
  acl: ACL,
};

export const aliasShapes: Record<string, CollectionShape> = {
  [MODEL_ALIASES]: { family: FAMILY, shape: alias },
};
