import { expect } from 'chai';

interface FormField {
  path: string;
  showIf?(values: object): boolean;
}
interface Spec {
  sections: { fields: FormField[]; showIf?(values: object): boolean }[];
  leftOut: Record<string, string>;
}

// Pages are compiled by rules of their own: what is theirs is not known by its types here.
const load = (path: string) => import(new URL(`../../console/${path}`, import.meta.url).href);
const { FIELDS } = (await load('generated/fields.ts')) as { FIELDS: Record<string, { path: string }[]> };
const { CREATE, EDIT } = (await load('views/connections/containers/form.ts')) as Record<'CREATE' | 'EDIT', Spec>;
const { startSpec } = (await load('views/containers/form.ts')) as { startSpec(offer: object): Spec };

const START = startSpec({ docker_images: {}, connections: [], runtimes: [], modes: [], defaults: {} });
const FORMS: readonly [name: string, operation: string, spec: Spec][] = [
  ['a new container connection', 'saveContainerConnection', CREATE],
  ['a container connection', 'saveContainerConnection', EDIT],
  ['a start', 'startContainer', START],
];

const payload = (values: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [`payload.${name}`, value]));

describe('forms of containers', () => {
  for (const [name, operation, spec] of FORMS) {
    it(`${name}: lists each field of the body or says why it is left out`, () => {
      const known = (FIELDS[operation] ?? []).map(({ path }) => path);
      const inForm = new Set([
        ...spec.sections.flatMap(({ fields }) => fields.map(({ path }) => path)),
        ...Object.keys(spec.leftOut),
      ]);
      expect(known).to.not.be.empty;
      expect([...inForm]).to.have.members(known);
    });
  }

  it('a field is never shown twice, whatever is chosen', () => {
    const modes = ['cert-key', 'user-token', 'user-login', 'cloud-iam', 'service-account', undefined];
    for (const container_type of ['docker', 'kubernetes'])
      for (const auth_mode of modes)
        for (const in_cluster_mode of [true, false]) {
          const values = payload({ container_type, auth_mode, in_cluster_mode, service_type: 'nodeport' });
          const paths = CREATE.sections
            .filter(({ showIf }) => showIf?.(values) ?? true)
            .flatMap(({ fields }) => fields.filter(({ showIf }) => showIf?.(values) ?? true))
            .map(({ path }) => path);
          expect(paths).to.deep.equal([...new Set(paths)]);
        }
  });
});
