import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { build } from 'esbuild';
import { project } from '../../support/e2e/build.ts';

interface FormField {
  path: string;
  /** Stands for all fields below it. */
  atomic?: true;
  showIf?(values: object): boolean;
}
interface Spec {
  sections: { fields: FormField[]; showIf?(values: object): boolean }[];
  leftOut: Record<string, string>;
}

/** Form -> the operation that it sends. */
const FORMS = {
  'connections/mcp': { CREATE: 'createMcpConnection', EDIT: 'updateMcpConnection' },
  'connections/aliases': { CREATE: 'createModelAlias', EDIT: 'updateModelAlias' },
  'connections/searches': { CREATE: 'createSearchTool', EDIT: 'updateSearchTool' },
  'connections/masking': { CREATE: 'createMaskingPolicy', EDIT: 'updateMaskingPolicy' },
  'connections/vectors': { CREATE: 'createVectorStore', EDIT: 'updateVectorStore' },
  'usage/limits': { CREATE: 'createUsageLimit', EDIT: 'updateUsageLimit' },
  'agents/runs': { RUN: 'startRun' },
  agents: { CREATE: 'createAgent', EDIT: 'updateAgent' },
  experiments: { CREATE: 'createExperiment', EDIT: 'updateExperiment', NOTE: 'addExperimentHistory' },
  'connections/containers': { CREATE: 'saveContainerConnection', EDIT: 'saveContainerConnection' },
  containers: { START: 'startContainer' },
  models: { REGISTER: 'registerModel', CHANGE: 'updateRegistration' },
} as const;

/** Operations with a body that no such form sends, with the reason. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  saveLlmConfiguration: 'drawn from the catalogue of services when the page runs',
  actOnLlmProvider: 'sends what the form of a configuration has',
  testContainerConnection: 'sends what the form of a connection has',
  testMcpConnection: 'sends what the form of a connection has',
  acceptMcpTools: 'sends names of tools that were listed',
  listMcpTools: 'sends the name of a connection',
  testVectorStore: 'sends what the form of a store has',
  testSearchTool: 'sends what the form of a search tool has',
  previewMaskingPolicy: 'a text, and what the form of a policy has',
  callSearchTool: 'a form of the schema of the tool',
  stopContainer: 'sends the name of a model',
  getContainerLogs: 'sends what the viewer is set to',
  followAgent: 'sends nothing that is typed',
  setCtsmFeature: 'a choice of two',
  acknowledgeCtsm: 'a button',
  cloneExperimentModels: 'a table of models',
  checkConnectionHealth: 'a button',
  uploadModel: 'a file and a name',
  importConfiguration: 'a file, and the secrets that it lacks',
  createChatCompletion: 'for programs and searches',
  retrievePassages: 'for programs and searches',
  predict: 'rows as CSV or JSON',
  callTool: 'for programs and searches',
  stepRun: 'for programs and searches',
  approveRun: 'JSON and texts beside the call that waits',
  cancelRun: 'a button',
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
    // Globals that the pages read when they load.
    const location = { origin: 'http://127.0.0.1', protocol: 'http:', port: '80', pathname: '/', search: '' };
    Object.defineProperty(globalThis, 'window', { value: globalThis, configurable: true });
    Object.defineProperty(globalThis, 'location', { value: location, configurable: true });
    const { default: loaded } = await import(pathToFileURL(outfile).href);
    specs = loaded.specs;
    const { startSpec } = loaded.specs.containers;
    specs.containers = {
      START: startSpec({ docker_images: {}, connections: [], runtimes: [], modes: [], defaults: {} }),
    };
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

  it('shows no field of a container connection twice, whatever is chosen', () => {
    const isVisible = ({ showIf }: { showIf?(values: object): boolean }, values: object) => showIf?.(values) ?? true;
    const modes = ['cert-key', 'user-token', 'user-login', 'cloud-iam', 'service-account', undefined];
    for (const type of ['docker', 'kubernetes'])
      for (const mode of modes)
        for (const isInCluster of [true, false]) {
          const values = {
            ...{ 'payload.container_type': type, 'payload.auth_mode': mode },
            ...{ 'payload.in_cluster_mode': isInCluster, 'payload.service_type': 'nodeport' },
          };
          const paths = (specs['connections/containers']?.CREATE?.sections ?? [])
            .filter((section) => isVisible(section, values))
            .flatMap(({ fields: all }) => all.filter((field) => isVisible(field, values)).map(({ path }) => path));
          expect(paths).to.deep.equal([...new Set(paths)]);
        }
  });

  it('has a form or a reason for each operation with a body', () => {
    const inForms = Object.values(FORMS).flatMap((operations) => Object.values(operations));
    expect(Object.keys(fields)).to.have.members([...new Set(inForms), ...Object.keys(ELSEWHERE)]);
  });
});
