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

const UNITS = ['kB', 'MB', 'GB'] as const;
const STEP = 1024;

/** `1.2 MB` */
export function sizeWords(bytes: number | undefined): string {
  if (bytes === undefined) return '–';
  if (bytes < STEP) return `${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`;
  let [size, at] = [bytes / STEP, 0];
  while (size >= STEP && at < UNITS.length - 1) [size, at] = [size / STEP, at + 1];
  return `${size.toFixed(1)} ${UNITS[at]}`;
}

export const fieldWords = (fields: readonly string[]): string => (fields.length === 0 ? '–' : fields.join(', '));

/** `any × 2` */
export const shapeWords = ({ shape }: ModelTensor): string =>
  shape === null ? 'unknown' : shape.length === 0 ? 'a single value' : shape.map((size) => size ?? 'any').join(' × ');
