import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { formatConf, parseBoolean, writeStanza } from '../confs/conf.ts';
import { type EaiEntry, systemAcl } from '../eai/entry.ts';
import { requestBase } from '../eai/feed.ts';
import { eaiRoutes, onlyArguments, requireCapability } from '../eai/routes.ts';
import { writeFileAtomic } from '../home/atomicFile.ts';
import { PlatformError } from '../http/reply.ts';
import type { PlatformRequest } from '../http/request.ts';
import type { Route } from '../http/route.ts';
import { localConfFile } from './apps.ts';
import type { HostedApp } from './hostedApp.ts';
import type { AppRegistry } from './registry.ts';

/** Argument of the endpoint -> stanza and key of app.conf. */
const SETTINGS: Record<string, [string, string]> = {
  author: ['launcher', 'author'],
  description: ['launcher', 'description'],
  version: ['launcher', 'version'],
  label: ['ui', 'label'],
  visible: ['ui', 'is_visible'],
  configured: ['install', 'is_configured'],
  check_for_updates: ['package', 'check_for_updates'],
};
const FIELDS = [...Object.keys(SETTINGS), 'template', 'explicit_appname', 'filename', 'update'];

export function appRoutes(registry: AppRegistry): Route[] {
  // REST can only remove apps that were created after the start; the others were installed by a person.
  const installed = new Set(registry.all().map((app) => app.name));
  const listApps = () => registry.all().filter((app) => app.name !== 'system');
  const entry = (req: PlatformRequest, app: HostedApp) => appEntry(req, app, !installed.has(app.name));
  const mayEdit = (req: PlatformRequest) => requireCapability(req, 'edit_local_apps', 'admin_all_objects');
  const toggle = (state: 'enabled' | 'disabled') => (req: PlatformRequest, target: EaiEntry) => {
    mayEdit(req);
    const app = registry.get(target.name);
    if (app !== undefined) writeStanza(localConfFile(app, 'app'), 'install', { state });
    return undefined;
  };
  return eaiRoutes({
    path: '/apps/local',
    title: 'localapps',
    blank: { fields: { required: ['name'], optional: FIELDS, wildcard: [] }, content: {} },
    list: (req) => listApps().map((app) => entry(req, app)),
    create: (req, name) => {
      mayEdit(req);
      onlyArguments(req, ['name', ...FIELDS]);
      if (!/^[A-Za-z0-9_][A-Za-z0-9_.-]{0,79}$/.test(name) || name.endsWith('.')) {
        throw new PlatformError(400, 'Invalid value for argument "name": letters, digits, "_", "-" and "." only.');
      }
      if (name === 'system' || registry.get(name) || existsSync(registry.folder(name))) {
        throw new PlatformError(409, `An object with name=${name} already exists`);
      }
      createFolder(registry.folder(name), name, settingsOf(req));
      registry.reload();
      return undefined;
    },
    update: (req, { name }) => {
      mayEdit(req);
      onlyArguments(req, FIELDS);
      const app = registry.get(name);
      if (app !== undefined) {
        for (const [stanza, keys] of Object.entries(settingsOf(req)))
          writeStanza(localConfFile(app, 'app'), stanza, keys);
      }
      return undefined;
    },
    remove: (req, { name }) => {
      mayEdit(req);
      if (installed.has(name)) {
        throw new PlatformError(400, `Cannot remove the app "${name}": it was installed before this server started.`);
      }
      rmSync(registry.folder(name), { recursive: true, force: true });
      registry.reload();
      return undefined;
    },
    actions: { enable: toggle('enabled'), disable: toggle('disabled') },
  });
}

function settingsOf(req: PlatformRequest): Record<string, Record<string, string>> {
  const stanzas: Record<string, Record<string, string>> = {};
  for (const [argument, [stanza, key]] of Object.entries(SETTINGS)) {
    const value = req.arg(argument);
    if (value === undefined) continue;
    if (/[\p{Cc}]/u.test(value))
      throw new PlatformError(400, `Invalid value for argument "${argument}": control characters.`);
    stanzas[stanza] = { ...stanzas[stanza], [key]: value };
  }
  return stanzas;
}

function createFolder(folder: string, name: string, settings: Record<string, Record<string, string>>): void {
  for (const part of ['default', 'local', 'metadata', 'bin']) mkdirSync(join(folder, part), { recursive: true });
  const launcher = { version: '1.0.0', author: '', description: '', ...settings.launcher };
  const conf = {
    install: { is_configured: '0', ...settings.install },
    ui: { is_visible: '1', label: name, ...settings.ui },
    launcher,
    package: { check_for_updates: '1', ...settings.package },
  };
  writeFileAtomic(join(folder, 'default', 'app.conf'), formatConf(conf));
  const meta = '[]\naccess = read : [ * ], write : [ admin, power ]\nexport = none\n';
  writeFileAtomic(join(folder, 'metadata', 'default.meta'), meta);
}

function appEntry(req: PlatformRequest, app: HostedApp, removable: boolean): EaiEntry {
  const conf = app.conf('app');
  const flag = (stanza: string, key: string, usual: boolean) => parseBoolean(conf[stanza]?.[key]) ?? usual;
  const self = `${requestBase(req, '/apps/local')}/${encodeURIComponent(app.name)}`;
  const canWrite = req.caller?.system === true || req.caller?.capabilities.has('admin_all_objects') === true;
  return {
    name: app.name,
    acl: { ...systemAcl(canWrite, removable && canWrite), owner: 'nobody', sharing: 'app', perms: app.access('[]') },
    links: { package: `${self}/package`, disable: `${self}/disable` },
    content: {
      attribution_link: null,
      author: conf.launcher?.author ?? '',
      check_for_updates: flag('package', 'check_for_updates', true),
      configured: flag('install', 'is_configured', false),
      core: app.name === 'search',
      description: conf.launcher?.description ?? '',
      disabled: conf.install?.state?.trim() === 'disabled',
      label: conf.ui?.label ?? app.name,
      managed_by_deployment_client: false,
      show_in_nav: true,
      show_upgrade_notification: false,
      state_change_requires_restart: false,
      version: conf.launcher?.version ?? conf.id?.version ?? '',
      visible: flag('ui', 'is_visible', true),
    },
  };
}
