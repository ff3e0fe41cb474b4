import type { VectorStore } from '../../../../client/src/index.ts';
import { visibleFields } from '../../../parts/form/spec.ts';
import { MASK } from '../../../parts/form/values.ts';
import type { Facts } from '../../../parts/panel/resource.ts';
import { OF_TYPES } from './form.tsx';

/** Values that say more than a dash where a field is absent. */
const ABSENT: Readonly<Record<string, string>> = {
  cloud_access_key_id: 'none: uses the role of the machine',
  cloud_access_key_token: 'none',
  password: 'none',
  api_key: 'none',
  ca_certificate: 'the default authorities',
  verify_tls: 'yes',
};

/** The details of a store as its form asks for them. */
export function detailFacts({ type, details }: VectorStore): Facts[] {
  const values = { type };
  return OF_TYPES.filter(({ showIf }) => showIf?.(values) ?? true).map((section) => ({
    title: section.title ?? '',
    rows: visibleFields({ sections: [section], leftOut: {} }, values).map(({ path, label, options }) => {
      const name = path.replace(/^details\./, '');
      const value = (details as Readonly<Record<string, unknown>>)[name];
      return [label, value === undefined ? ABSENT[name] : shown(name, value, options)] as const;
    }),
  }));
}

function shown(name: string, value: unknown, options: Readonly<Record<string, string>> = {}): string {
  if (value === MASK) return 'stored';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return name === 'ca_certificate' ? 'stored' : (options[String(value)] ?? String(value));
}
