import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { preparePython, pythonOf } from '../test/support/programs/python.ts';
import { leftOut } from './bench.ts';

const SOURCE = join(import.meta.dirname, 'python');
const APP = 'bench_python';
const python = pythonOf('splunkSdk');

/** A typical Python handler that makes the app's calls for a record. */
export interface PythonPeer {
  command: string;
  args: readonly string[];
  /** Installs it as an app before the platform starts. */
  install(home: string): void;
  /** Path of a record. */
  path: string;
}

let prepared: Promise<PythonPeer | undefined> | undefined;

/** Undefined, with one note, if Python or its packages are missing. */
export function pythonPeer(): Promise<PythonPeer | undefined> {
  prepared ??= prepare();
  return prepared;
}

async function prepare(): Promise<PythonPeer | undefined> {
  const problem = await preparePython('splunkSdk');
  if (problem !== undefined) {
    leftOut('a Python handler', problem.split('\n').at(-1) ?? problem);
    return undefined;
  }
  const install = (home: string) => {
    const app = join(home, 'etc/apps', APP);
    mkdirSync(join(app, 'default'), { recursive: true });
    cpSync(SOURCE, join(app, 'bin'), { recursive: true });
    writeFileSync(join(app, 'default/app.conf'), `[package]\nid = ${APP}\n\n[launcher]\nversion = 1.0.0\n`);
    const stanza = [`[script:${APP}]`, `match = /${APP}`, 'scripttype = persist', 'script = handler.py'];
    const driver = [`driver = ${python}`, `driver.arg.1 = ${join(app, 'bin/handler.py')}`, 'passSystemAuth = true'];
    writeFileSync(join(app, 'default/restmap.conf'), `${[...stanza, ...driver, 'output_modes = json'].join('\n')}\n`);
  };
  return { command: python, args: [join(SOURCE, 'handler.py')], install, path: `/servicesNS/nobody/${APP}/${APP}` };
}
