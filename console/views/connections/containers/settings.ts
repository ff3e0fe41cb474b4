import type { ContainerConnection } from '../../../../client/src/index.ts';
import { visibleFields } from '../../../parts/form/spec.ts';
import { MASK } from '../../../parts/form/values.ts';
import type { Facts } from '../../../parts/panel/resource.ts';
import { EDIT, SWITCHES } from './form.ts';

const LONGEST = 200;
/** Shown at the top of the panel. */
const IN_SUMMARY = ['docker_url', 'cluster_url', 'auth_mode'];

/** The set fields under the titles and labels of the form. */
export function settingsOf(record: ContainerConnection): Facts[] {
  const settings = record as unknown as Readonly<Record<string, string | undefined>>;
  const values = Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [`payload.${name}`, SWITCHES.has(name) ? isOn(value) : value]),
  );
  const visible = new Set(visibleFields(EDIT, values));
  return EDIT.sections
    .map(({ title, fields }) => ({
      ...(title === undefined ? {} : { title }),
      rows: fields.flatMap((field) => {
        const name = field.path.replace(/^payload\./, '');
        const value = settings[name];
        if (!visible.has(field) || IN_SUMMARY.includes(name) || value === undefined || value === '') return [];
        return [[field.label, inWords(name, value, field.options)] as const];
      }),
    }))
    .filter(({ rows }) => rows.length > 0);
}

export const isOn = (value: unknown): boolean => /^(true|t|1|yes|y|on|enabled)$/i.test(String(value));

function inWords(name: string, value: string, options: Readonly<Record<string, string>> = {}): string {
  if (value === MASK) return 'stored';
  if (SWITCHES.has(name)) return isOn(value) ? 'yes' : 'no';
  return options[value] ?? (value.length > LONGEST ? `${value.slice(0, LONGEST)} …` : value);
}
