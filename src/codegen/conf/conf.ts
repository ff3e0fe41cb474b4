import { CAPABILITIES } from '../../contract/capabilities.ts';
import { version } from '../../contract/version.ts';
import { collections } from '../../table.ts';

const HEAD = '# Generated from the endpoint table (npm run generate). Do not edit: put changes into local/.\n';

export const stanza = (name: string, values: Record<string, string> = {}): string =>
  [
    `[${name}]`,
    ...Object.entries(values).map(([key, value]) => (value === '' ? `${key} =` : `${key} = ${value}`)),
    '',
  ].join('\n');

export const confFile = (...stanzas: string[]): string => [HEAD, ...stanzas].join('\n');

export function collectionsConf(): string {
  const rows = Object.entries(collections).map(([name, row]) => {
    const { holds, accelerated = [] } = typeof row === 'string' ? { holds: row } : row;
    const isFirst = (fields: readonly string[]) => accelerated.find(([first]) => first === fields[0]) === fields;
    const settings = accelerated.map((fields) => [
      `accelerated_fields.${isFirst(fields) ? fields[0] : fields.join('_')}`,
      JSON.stringify(Object.fromEntries(fields.map((field) => [field, 1]))),
    ]);
    return `# ${holds}\n${stanza(name, Object.fromEntries(settings))}`;
  });
  return confFile(...rows);
}

export function authorizeConf(): string {
  const names = Object.keys(CAPABILITIES) as (keyof typeof CAPABILITIES)[];
  const enabled = (list: readonly string[]) => Object.fromEntries(list.map((name) => [name, 'enabled']));
  const ofUsers = names.filter((name) => CAPABILITIES[name].user);
  return confFile(
    ...names.map((name) => `# ${CAPABILITIES[name].for}\n${stanza(`capability::${name}`)}`),
    stanza('role_ml_user', { importRoles: 'user', ...enabled(ofUsers) }),
    stanza('role_ml_admin', { importRoles: 'ml_user', ...enabled(names) }),
    stanza('role_admin', enabled(names)),
    stanza('role_sc_admin', enabled(names)),
  );
}

/** Running processes reload these conf files, so the platform need not restart. */
const OWN_CONFS = ['ml_extension', 'ml_images', 'ml_prices'];

const APP = 'ml_extension';
const TITLE = 'Machine Learning Extension';
const AUTHOR = `${TITLE} contributors`;
const DESCRIPTION =
  'Manages MCP connections, containers, LLM providers, experiments, vector stores, models and AI agents over one REST tree.';

export function appConf(): string {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map((part) => Number.parseInt(part, 10));
  return confFile(
    stanza('install', { is_configured: '0', build: String(major * 10_000 + minor * 100 + patch) }),
    stanza('id', { name: APP, version }),
    stanza('launcher', { author: AUTHOR, description: DESCRIPTION, version }),
    stanza('package', { id: APP, check_for_updates: '0' }),
    stanza('ui', { is_visible: '1', label: TITLE }),
    stanza('triggers', Object.fromEntries(OWN_CONFS.map((name) => [`reload.${name}`, 'simple']))),
  );
}

/**
 * Splunk's app manifest 2.0.0, with every key of its schema. Without it, Splunk Cloud does not install the app on a search head cluster.
 */
export function appManifest(): string {
  const noText = { name: null, text: null, uri: null };
  const manifest = {
    schemaVersion: '2.0.0',
    info: {
      title: TITLE,
      id: { group: null, name: APP, version },
      author: [{ name: AUTHOR, email: null, company: null }],
      releaseDate: null,
      description: DESCRIPTION,
      classification: { intendedAudience: null, categories: [], developmentStatus: null },
      commonInformationModels: null,
      license: { name: 'Apache-2.0', text: 'LICENSE', uri: 'https://www.apache.org/licenses/LICENSE-2.0' },
      privacyPolicy: noText,
      releaseNotes: noText,
    },
    dependencies: null,
    tasks: null,
    inputGroups: null,
    incompatibleApps: null,
    platformRequirements: null,
    supportedDeployments: ['_standalone', '_distributed', '_search_head_clustering'],
    targetWorkloads: ['_search_heads'],
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/** Replicates settings between members of a search head cluster. */
export function serverConf(): string {
  const include = OWN_CONFS.map((name) => [`conf_replication_include.${name}`, 'true']);
  return confFile(stanza('shclustering', Object.fromEntries(include)));
}
