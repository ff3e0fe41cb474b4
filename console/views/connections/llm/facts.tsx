import type { ReactNode } from 'react';
import { MASK } from '../../../parts/form/values.ts';
import type { Facts } from '../../../parts/panel/resource.ts';
import { type Catalogue, type CatalogueService, type Configuration, extraFields, unknownOf } from './record.ts';

type Fields = CatalogueService['fields'];

/** Declared settings by their labels, others as JSON. */
export function settingsFacts(catalogue: Catalogue | undefined, record: Configuration): Facts[] {
  const { fields = {}, model_fields = {}, hosting } = catalogue?.services[record.service] ?? {};
  const { servicesettings, modelsettings } = record;
  const isHosted = hosting !== undefined && !(servicesettings.endpoint as { value?: unknown } | undefined)?.value;
  const hostingRow: [string, ReactNode][] = isHosted ? [['Hosting', hosting]] : [];
  const groups: Facts[] = [
    { title: 'Settings of the connection', rows: [...hostingRow, ...rowsOf(servicesettings, fields)] },
    { title: 'Settings of the model', rows: rowsOf(modelsettings ?? {}, model_fields) },
  ];
  const further = [
    ['Connection', unknownOf(servicesettings, fields)],
    ['Model settings', unknownOf(modelsettings, model_fields)],
    ['Model', extraFields(record)],
  ] as const;
  const rows = further
    .filter(([, fieldsOfIt]) => Object.keys(fieldsOfIt).length > 0)
    .map(([label, value]) => [label, <code key={label}>{JSON.stringify(value, hideMask, 2)}</code>] as const);
  return rows.length === 0 ? groups : [...groups, { title: 'Other fields', rows }];
}

const hideMask = (_key: string, value: unknown): unknown => (value === MASK ? '(stored)' : value);

const rowsOf = (settings: Readonly<Record<string, unknown>>, fields: Fields): [string, ReactNode][] =>
  Object.entries(fields).map(([name, { label, default: defaultValue }]) => {
    const setting = settings[name] as { value?: unknown } | null | undefined;
    return [label, inWords(setting?.value ?? undefined, defaultValue)];
  });

function inWords(value: unknown, defaultValue: unknown): ReactNode {
  if (value === MASK) return 'stored';
  if (typeof value === 'object' && value !== null)
    return 'token_url' in value ? String(value.token_url) : Object.keys(value).join(', ');
  const effective = value === undefined || value === '' ? defaultValue : value;
  const words =
    typeof effective === 'boolean' ? (effective ? 'yes' : 'no') : effective === null ? '' : String(effective ?? '');
  return effective === value || words === '' ? words : `${words} (default)`;
}
