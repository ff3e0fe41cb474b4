import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type HostedApp, SYSTEM_APP } from '../../apps/hostedApp.ts';
import { parseBoolean } from '../../confs/conf.ts';
import { WebError } from '../reply.ts';
import { readXml, type XmlElement } from './xmlReader.ts';

export interface View {
  name: string;
  label: string;
  /** Name of the root element: `view`, or a kind with its own content. */
  kind: string;
  /** From the view; may be empty. */
  template: string;
}

const NAME = /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/;
/** Local changes come before the app's defaults. */
const FOLDERS = ['local', 'default'];

/** Whether an app can have pages: neither hidden nor disabled. */
export function isVisible(app: HostedApp): boolean {
  const { ui, install } = app.conf('app');
  const disabled = install?.state?.trim() === 'disabled';
  return app.name !== SYSTEM_APP && !disabled && parseBoolean(ui?.is_visible) !== false;
}

export function appLabel(app: HostedApp): string {
  return app.conf('app').ui?.label ?? app.name;
}

/** `build` of app.conf: when it changes, browsers reload the app's files. */
export function appBuild(app: HostedApp): string {
  return app.conf('app').install?.build?.trim() || '0';
}

/** Undefined if the app has no such view; throws with the file name if it cannot be read. */
export function readView(app: HostedApp, name: string): View | undefined {
  if (!NAME.test(name)) return undefined;
  const root = readUiFile(app, 'views', name);
  if (root === undefined) return undefined;
  return {
    name,
    label: childText(root, 'label') || name,
    kind: root.name,
    template: root.attributes.template?.trim() ?? '',
  };
}

export function viewNames(app: HostedApp): string[] {
  const names = FOLDERS.map((folder) => join(app.dir, folder, 'data/ui/views'))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder))
    .filter((file) => file.endsWith('.xml'))
    .map((file) => file.slice(0, -'.xml'.length))
    .filter((name) => NAME.test(name));
  return [...new Set(names)].sort();
}

/** Root element of a file below `data/ui`. Throws WebError for one that cannot be read. */
export function readUiFile(app: HostedApp, folder: 'views' | 'nav', name: string): XmlElement | undefined {
  const file = FOLDERS.map((layer) => join(app.dir, layer, 'data/ui', folder, `${name}.xml`)).find((path) =>
    existsSync(path),
  );
  if (file === undefined) return undefined;
  try {
    return readXml(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new WebError(
      500,
      `The app ${app.name} has an invalid file, ${folder}/${name}.xml: ${(error as Error).message}.`,
    );
  }
}

export function childText(element: XmlElement, name: string): string {
  return element.children.find((child) => child.name === name)?.text.trim() ?? '';
}
