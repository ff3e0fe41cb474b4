import type { Model, ModelTensor } from '../../../client/src/index.ts';

export const TYPES: Readonly<Record<Model['type'], string>> = {
  onnx: 'ONNX file',
  cloud: 'Cloud endpoint',
  lookup: 'Fitted model',
};

export const SHARING: Readonly<Record<Model['sharing'], string>> = {
  user: 'Only the owner',
  app: 'Users of the app',
  global: 'Users of all apps',
};

export const fieldWords = (fields: readonly string[]): string => (fields.length === 0 ? '–' : fields.join(', '));

/** `any × 2` */
export const shapeWords = ({ shape }: ModelTensor): string =>
  shape === null ? 'unknown' : shape.length === 0 ? 'a single value' : shape.map((size) => size ?? 'any').join(' × ');
