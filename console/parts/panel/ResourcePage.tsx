import { useQueryClient } from '@tanstack/react-query';
import { useRefusal } from '../../api/rights.ts';
import { useForm, useUrl } from '../../app/url.ts';
import { Action } from '../Action.tsx';
import { LastWarnings } from '../LastWarnings.tsx';
import { lazyPart } from '../lazyPart.tsx';
import { SwitchedOff } from '../SwitchedOff.tsx';
import { ListTable } from '../table/ListTable.tsx';
import { createProps } from './formProps.ts';
import type { Resource } from './resource.ts';

// Not needed for the first row.
const FormDialog = lazyPart(() => import('../form/FormDialog.tsx'));
const RecordPanel = lazyPart(() => import('./RecordPanel.tsx'));

/** Table, panel and forms of a resource. */
export function ResourcePage<R extends object>({ resource }: { resource: Resource<R> }) {
  const { key, one, create, edit, remove } = resource;
  const [url, go] = useUrl();
  const client = useQueryClient();
  const refusal = useRefusal();
  const creating = useForm('new');
  const name = url.get('name');
  const changed = () => client.invalidateQueries({ queryKey: [key] });
  const newButton =
    resource.newButton ??
    (create && (
      <Action label={`New ${one}`} appearance="primary" refusal={refusal(create.operation)} onClick={creating.open} />
    ));
  return (
    <>
      <SwitchedOff operations={[create?.operation, edit?.operation, remove?.operation]} />
      <LastWarnings />
      <ListTable resource={resource} actions={newButton} />
      {name !== null && (
        <RecordPanel
          key={name}
          resource={resource as unknown as Resource<object>}
          name={name}
          onClose={() => go({ name: undefined })}
          onChanged={changed}
        />
      )}
      {create && creating.isOpen && (
        <FormDialog
          title={`New ${one}`}
          {...createProps(resource, create)}
          onClose={creating.close}
          onSaved={(saved) => {
            changed();
            creating.closeFor(String(saved));
          }}
        />
      )}
    </>
  );
}
