import { parseBoolean, type Stanza } from '../confs/conf.ts';
import type { EaiFields } from '../eai/entry.ts';
import { onlyArguments } from '../eai/routes.ts';
import type { EaiValue } from '../eai/xml.ts';
import { PlatformError } from '../http/reply.ts';
import type { PlatformRequest } from '../http/request.ts';
import type { Collection } from './collections.ts';

/** The settings of a collection without options: strings, except `disabled`. */
const DEFAULTS: Stanza = {
  profilingEnabled: 'false',
  profilingThresholdMs: '1000',
  replicate: 'false',
  replication_dump_maximum_file_size: '10240',
  replication_dump_strategy: 'auto',
  type: 'undefined',
};

const OPTIONAL = [...Object.keys(DEFAULTS), 'disabled', 'enforceTypes'];
const BOOLEANS = ['disabled', 'enforceTypes', 'profilingEnabled', 'replicate'];
const WILDCARD = /^(field|accelerated_fields)\.[^\s=#[\]\\]+$/;
export const FIELDS: EaiFields = {
  required: [],
  optional: OPTIONAL.toSorted(),
  wildcard: ['accelerated_fields\\..*', 'field\\..*'],
};

export function collectionContent({ app, stanza }: Collection): Record<string, EaiValue> {
  const content: Record<string, EaiValue> = { ...DEFAULTS, 'eai:appName': app.name, 'eai:userName': 'nobody' };
  for (const [name, value] of Object.entries(stanza)) content[name] = value;
  content.disabled = parseBoolean(stanza.disabled) === true;
  return content;
}

/** Reads the settings of a create or an update; refuses unknown ones. */
export function settingsOf(req: PlatformRequest): Stanza {
  const args = [...req.query, ...req.form];
  onlyArguments(req, ['name', ...args.map(([name]) => name).filter(isSetting)]);
  const settings: Stanza = {};
  for (const [name, value] of args) {
    if (!isSetting(name)) continue;
    if (BOOLEANS.includes(name) && parseBoolean(value) === undefined) {
      throw new PlatformError(400, `Invalid value for argument "${name}": must be true or false.`);
    }
    if (value.includes('\0')) throw new PlatformError(400, `Invalid value for argument "${name}".`);
    settings[name] = value;
  }
  return settings;
}

function isSetting(name: string): boolean {
  return OPTIONAL.includes(name) || WILDCARD.test(name);
}
