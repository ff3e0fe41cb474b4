import type { ReactNode } from 'react';
import { MASK } from '../../../parts/form/values.ts';
import type { Facts } from '../../../parts/panel/resource.ts';
import { type Catalogue, type CatalogueService, type Configuration, ownFields, unknownOf } from './record.ts';

type Fields = CatalogueService['fields'];

/** What is set, in the words of the catalogue; the rest as it is. */
export function settingsFacts(catalogue: Catalogue | undefined, record: Configuration): Facts[] {
  const { fields = {}, model_fields = {} } = catalogue?.services[record.service] ?? {};
  const { servicesettings, modelsettings } = record;
  const groups: Facts[] = [
    { title: 'Settings of the connection', rows: rowsOf(servicesettings, fields) },
    { title: 'Settings of the model', rows: rowsOf(modelsettings ?? {}, model_fields) },
  ];
  const further = [
    ['Connection', unknownOf(servicesettings, fields)],
    ['Model settings', unknownOf(modelsettings, model_fields)],
    ['Model', ownFields(record)],
  ] as const;
  const rows = further
    .filter(([, fieldsOfIt]) => Object.keys(fieldsOfIt).length > 0)
    .map(([label, value]) => [label, <code key={label}>{JSON.stringify(value, shown, 2)}</code>] as const);
  return rows.length === 0 ? groups : [...groups, { title: 'Further fields', rows }];
}

const shown = (_key: string, value: unknown): unknown => (value === MASK ? '(stored)' : value);

const rowsOf = (settings: Readonly<Record<string, unknown>>, fields: Fields): [string, ReactNode][] =>
  Object.entries(fields).map(([name, { label, default: usual }]) => {
    const setting = settings[name] as { value?: unknown } | null | undefined;
    return [label, inWords(setting?.value ?? undefined, usual)];
  });

function inWords(value: unknown, usual: unknown): ReactNode {
  if (value === MASK) return 'stored';
  const given = value === undefined || value === '' ? usual : value;
  const words = typeof given === 'boolean' ? (given ? 'yes' : 'no') : given === null ? '' : String(given ?? '');
  return given === value || words === '' ? words : `${words} (default)`;
}
