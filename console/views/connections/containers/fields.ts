import type { Values } from '../../../parts/form/facts.ts';
import type { FormField } from '../../../parts/form/spec.ts';

type Test = (values: Values) => boolean;

const read = (values: Values, name: string): unknown => values[`payload.${name}`];
export const is =
  (name: string, ...expected: readonly unknown[]): Test =>
  (values) =>
    expected.includes(read(values, name));
export const isSwitchedOn = (name: string): Test => is(name, true);
export const isDocker = is('container_type', 'docker');
export const isKubernetes = is('container_type', 'kubernetes');
export const every =
  (...tests: readonly Test[]): Test =>
  (values) =>
    tests.every((test) => test(values));

export const field = (name: string, label: string, more: Partial<FormField> = {}): FormField => ({
  path: `payload.${name}`,
  label,
  ...more,
});
export const onOff = (name: string, label: string, more: Partial<FormField> = {}) =>
  field(name, label, { kind: 'switch', help: '', ...more });

export const FILE = 'PEM, base64 of PEM, or the path of a file in an allowed folder';

export const TYPES = { docker: 'Docker', kubernetes: 'Kubernetes' };
