import { localConfFile } from '../apps/apps.ts';
import type { HostedApp } from '../apps/hostedApp.ts';
import { writeAccess } from '../apps/metadata.ts';
import type { AclChange } from '../eai/routes.ts';
import { PlatformError } from '../http/reply.ts';
import type { PlatformRequest } from '../http/request.ts';
import { formatConf, removeStanza, type Stanza, writeStanza } from './conf.ts';

const NOT_SETTINGS = new Set(['output_mode', 'name', '__conf', '__stanza']);

/** The form fields that are settings and not request options. */
export function settingsOf(req: PlatformRequest): Stanza {
  const settings: Stanza = Object.create(null);
  for (const [key, value] of req.form) {
    if (NOT_SETTINGS.has(key) || key.startsWith('eai:')) continue;
    settings[key] = value;
  }
  return settings;
}

/** Writes settings to the app's local folder. Answers 400 for names that no conf file can hold. */
export function writeSettings(app: HostedApp, conf: string, stanza: string, settings: Stanza): void {
  if (stanza === '' || stanza.trim() !== stanza || /[\p{Cc}\]]/u.test(stanza)) {
    throw new PlatformError(
      400,
      `Invalid stanza name "${stanza}": no control characters, brackets or white space around it.`,
    );
  }
  for (const [key, value] of Object.entries(settings)) {
    try {
      formatConf({ [stanza]: { [key]: value } });
    } catch {
      throw new PlatformError(400, `Argument "${key}" cannot be the name of a setting.`);
    }
    if (value.includes('\0'))
      throw new PlatformError(400, `Invalid value for argument "${key}": it has a NUL character.`);
  }
  writeStanza(localConfFile(app, conf), stanza, settings);
}

export function removeSettings(app: HostedApp, conf: string, stanza: string): void {
  if (removeStanza(localConfFile(app, conf), stanza)) return;
  throw new PlatformError(400, `Cannot remove the stanza "${stanza}": it comes from the app's default folder.`);
}

export function writeAcl(app: HostedApp, conf: string, stanza: string, change: AclChange): void {
  if (change.sharing === 'user') {
    throw new PlatformError(400, 'Invalid value for argument "sharing": a stanza belongs to its app, not to a user.');
  }
  writeAccess(app, conf, stanza, change);
}
