import type { FormDialogProps } from '../form/FormDialog.tsx';
import type { Resource } from './resource.ts';

type TestProps = Pick<FormDialogProps, 'test' | 'testOptions'>;
type CreateProps = Pick<FormDialogProps, 'operation' | 'spec' | 'save' | 'verify' | 'find'> & TestProps;

/** How a form tests its input. @param record that is edited */
export function testProps<R extends object>({ test }: Resource<R>, record?: R): TestProps {
  if (!test || test.isForSaved) return {};
  return {
    test: (body, signal, options) => test.perform(record, body, signal, options),
    testOptions: test.options && { operation: test.operation, fields: test.options },
  };
}

/** How a form makes a record. @param from the record that is cloned */
export function createProps<R extends object>(
  resource: Resource<R>,
  create: NonNullable<Resource<R>['create']>,
  from?: R,
): CreateProps {
  const { operation, spec, save, verify } = create;
  return {
    operation,
    spec,
    save: (body) => save(body, from),
    ...(verify && { verify: (body, _version, _force, signal) => verify(body, signal) }),
    // After a lost answer: the record may exist.
    async find({ name }) {
      const record = typeof name === 'string' ? await resource.read(name, AbortSignal.timeout(30_000)) : null;
      return record ? resource.nameOf(record) : undefined;
    },
    ...testProps(resource),
  };
}
