import { expect } from 'chai';
import { FIELDS } from '../../console/generated/fields.ts';
import { type FormSpec, placesOf, shownPlaces } from '../../console/parts/form/spec.ts';
import { CREATE, EDIT } from '../../console/views/connections/containers/form.ts';
import { START } from '../../console/views/containers/form.ts';

const FORMS: readonly [name: string, operation: keyof typeof FIELDS, spec: FormSpec][] = [
  ['a new container connection', 'saveContainerConnection', CREATE],
  ['a container connection', 'saveContainerConnection', EDIT],
  ['a start', 'startContainer', START],
];

const payload = (values: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [`payload.${name}`, value]));

describe('forms of containers', () => {
  for (const [name, operation, spec] of FORMS) {
    it(`${name}: each field of the body has its place, or a reason why it has none`, () => {
      const known = (FIELDS[operation] ?? []).map(({ path }) => path);
      const placed = new Set([...placesOf(spec).map(({ path }) => path), ...Object.keys(spec.leftOut)]);
      expect(known).to.not.be.empty;
      expect([...placed]).to.have.members(known);
    });
  }

  it('a field is never shown twice, whatever is chosen', () => {
    const modes = ['cert-key', 'user-token', 'user-login', 'cloud-iam', 'service-account', undefined];
    for (const container_type of ['docker', 'kubernetes'])
      for (const auth_mode of modes)
        for (const in_cluster_mode of [true, false]) {
          const values = payload({ container_type, auth_mode, in_cluster_mode, service_type: 'nodeport' });
          const paths = shownPlaces(CREATE, values).map(({ path }) => path);
          expect(paths).to.deep.equal([...new Set(paths)]);
        }
  });
});
