import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { build } from 'esbuild';
import { project } from '../support/e2e/build.ts';

interface FormField {
  path: string;
  /** Stands for all fields below it. */
  atomic?: true;
}
interface Spec {
  sections: { fields: FormField[] }[];
  leftOut: Record<string, string>;
}

/** Form -> what it sends. Those of containers have a test of their own. */
const FORMS = {
  'connections/mcp': { CREATE: 'createMcpConnection', EDIT: 'updateMcpConnection' },
  'connections/vectors': { CREATE: 'createVectorStore', EDIT: 'updateVectorStore' },
  agents: { CREATE: 'createAgent', EDIT: 'updateAgent' },
  experiments: { CREATE: 'createExperiment', EDIT: 'updateExperiment', NOTE: 'addExperimentHistory' },
  models: { REGISTER: 'registerModel', CHANGE: 'updateRegistration' },
} as const;

/** Operations whose body is no such form, and why. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  saveLlmConfiguration: 'drawn from the catalogue of services when the page runs',
  actOnLlmProvider: 'sends what the form of a configuration has',
  saveContainerConnection: 'in containerForms.test.ts',
  testContainerConnection: 'sends what the form of a connection has',
  startContainer: 'in containerForms.test.ts',
  testMcpConnection: 'sends what the form of a connection has',
  listMcpTools: 'sends the name of a connection',
  testVectorStore: 'sends what the form of a store has',
  stopContainer: 'sends the name of a model',
  getContainerLogs: 'sends what the viewer is set to',
  followAgent: 'sends nothing that is typed',
  setCtsmFeature: 'a choice of two',
  acknowledgeCtsm: 'a button',
  cloneExperimentModels: 'a table of models',
  checkConnectionHealth: 'a button',
  uploadModel: 'a file and a name',
  importConfiguration: 'a file, and the secrets that it lacks',
};

describe('forms of the console', () => {
  const folder = mkdtempSync(join(tmpdir(), 'forms-'));
  let specs: Record<string, Record<string, Spec>>;
  let fields: Record<string, { path: string }[]>;
  const known = ['window', 'location'].map(
    (name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const,
  );

  before(async () => {
    const views = Object.keys(FORMS);
    const imports = views.map((view, at) => `import * as view${at} from './console/views/${view}/form';`);
    const contents = [
      ...imports,
      "export { FIELDS } from './console/generated/fields';",
      `export const specs = { ${views.map((view, at) => `'${view}': view${at}`).join(', ')} };`,
    ].join('\n');
    const outfile = join(folder, 'forms.cjs');
    await build({
      stdin: { contents, resolveDir: project, loader: 'ts' },
      outfile,
      bundle: true,
      format: 'cjs',
      platform: 'node',
      jsx: 'automatic',
      tsconfig: join(project, 'console/tsconfig.json'),
      logLevel: 'silent',
    });
    // What pages find in a browser when they are loaded.
    const location = { origin: 'http://127.0.0.1', protocol: 'http:', port: '80', pathname: '/', search: '' };
    Object.defineProperty(globalThis, 'window', { value: globalThis, configurable: true });
    Object.defineProperty(globalThis, 'location', { value: location, configurable: true });
    const { default: loaded } = await import(pathToFileURL(outfile).href);
    specs = loaded.specs;
    fields = loaded.FIELDS;
  });

  after(() => {
    for (const [name, was] of known) {
      if (was) Object.defineProperty(globalThis, name, was);
      else Reflect.deleteProperty(globalThis, name);
    }
    rmSync(folder, { recursive: true, force: true });
  });

  for (const [view, operations] of Object.entries(FORMS)) {
    for (const [name, operation] of Object.entries(operations)) {
      it(`${view}, ${name}: lists each field of the body or says why it is left out`, () => {
        const spec = specs[view]?.[name];
        const formFields = spec?.sections.flatMap((section) => section.fields) ?? [];
        expect(formFields.length).to.be.above(0);
        const isPlaced = (path: string) =>
          formFields.some(
            (field) => field.path === path || (field.atomic === true && path.startsWith(`${field.path}.`)),
          ) || path in (spec?.leftOut ?? {});
        expect(fields[operation]?.map(({ path }) => path).filter((path) => !isPlaced(path))).to.deep.equal([]);
        for (const reason of Object.values(spec?.leftOut ?? {})) expect(reason.length).to.be.above(8);
      });
    }
  }

  it('there is none without a form, or without a reason', () => {
    const inForms = Object.values(FORMS).flatMap((operations) => Object.values(operations));
    expect(Object.keys(fields)).to.have.members([...inForms, ...Object.keys(ELSEWHERE)]);
  });
});
