/** Settings of `[sslConfig]` that name the CA of splunkd's own certificate; the first one that is set counts. */
const CA_SETTINGS = ['sslRootCAPath', 'caCertFile'] as const;
const DEFAULT_FOLDER = '$SPLUNK_HOME/etc/auth';

type Settings = Readonly<Record<string, string>>;

/**
 * The file with the CA of splunkd's own certificate, from the layers of server.conf; undefined if they name none. Source:
 * the spec file of server.conf, and "Configuration file precedence" of its documentation.
 * @param home $SPLUNK_HOME
 */
export function caFile(home: string): string | undefined {
  const { isAbsolute, join } = process.getBuiltinModule('node:path');
  const layers = serverConfs(home).map((text) => stanzaOf(text, 'sslConfig'));
  const setting = (name: string) => layers.find((settings) => settings[name] !== undefined)?.[name];
  // An empty value in a layer that wins unsets the setting.
  const path = CA_SETTINGS.map(setting).find((value) => value);
  if (!path) return undefined;
  const expand = (text: string) => join(text.replace(/^\$SPLUNK_HOME(?=\/|$)/, home));
  const file = expand(path);
  return isAbsolute(file) ? file : join(expand(setting('caPath') || DEFAULT_FOLDER), file);
}

/** The texts of server.conf, the winning one first. splunkd ignores apps that are disabled. */
function serverConfs(home: string): string[] {
  const etc = `${home}/etc`;
  const apps = namesIn(`${etc}/apps`).filter((app) => !isDisabled(`${etc}/apps/${app}`));
  const inApps = (layer: string) => apps.map((app) => `${etc}/apps/${app}/${layer}`);
  const folders = [`${etc}/system/local`, ...inApps('local'), ...inApps('default'), `${etc}/system/default`];
  return folders.map((folder) => textOf(`${folder}/server.conf`));
}

function isDisabled(app: string): boolean {
  const states = ['local', 'default'].map((layer) => stanzaOf(textOf(`${app}/${layer}/app.conf`), 'install').state);
  return states.find((state) => state !== undefined) === 'disabled';
}

/** In the order of their bytes, in which an earlier app wins. */
function namesIn(folder: string): string[] {
  try {
    return process.getBuiltinModule('node:fs').readdirSync(folder).sort();
  } catch {
    return [];
  }
}

/** Empty if the file cannot be read: most layers lack the file, and the app may not read all. */
function textOf(file: string): string {
  try {
    return process.getBuiltinModule('node:fs').readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** The settings of a stanza. Only a whole line can be a comment, and a backslash at the end of a line continues it. */
function stanzaOf(conf: string, wanted: string): Settings {
  const settings: Record<string, string> = {};
  let stanza = '';
  const joined = conf.replaceAll(/^[ \t]*#.*$/gm, '').replaceAll(/\\\r?\n/g, '\0');
  for (const line of joined.split(/\r?\n/)) {
    const header = /^\s*\[([^\]]*)\]/.exec(line);
    if (header) stanza = header[1] ?? '';
    const [, name, value = ''] = /^\s*(\w+)\s*=(.*)$/.exec(line) ?? [];
    if (stanza === wanted && name !== undefined) settings[name] = value.replaceAll('\0', '\n').trim();
  }
  return settings;
}
