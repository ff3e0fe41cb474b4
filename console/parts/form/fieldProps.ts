import type { FieldFacts } from './facts.ts';
import type { Place } from './spec.ts';

export interface FieldProps {
  place: Place;
  facts: FieldFacts;
  value: unknown;
  error?: string | undefined;
  onChange(value: unknown): void;
}
