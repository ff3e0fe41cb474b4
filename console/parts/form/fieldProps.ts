export type { FieldProps } from './spec.ts';
