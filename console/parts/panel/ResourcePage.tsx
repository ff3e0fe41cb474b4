import { useQueryClient } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { useRefusal } from '../../api/rights.ts';
import { useUrl } from '../../app/url.ts';
import { Action } from '../Action.tsx';
import { finderOf } from '../form/lost.ts';
import { LastWarnings } from '../LastWarnings.tsx';
import { lazyPart } from '../lazyPart.ts';
import { SwitchedOff } from '../SwitchedOff.tsx';
import { ListTable } from '../table/ListTable.tsx';
import { optionsOf, type Resource } from './resource.ts';

// Nobody waits for these before the first row is there.
const FormDialog = lazyPart(() => import('../form/FormDialog.tsx'));
const RecordPanel = lazyPart(() => import('./RecordPanel.tsx'));

/** The table of records of one kind, the panel of the one that is opened, and the forms that make and change them. */
export function ResourcePage<R extends object>({ resource }: { resource: Resource<R> }) {
  const { key, one, many, about, columns, sortedBy, create, edit, remove, test } = resource;
  const [url, go] = useUrl();
  const client = useQueryClient();
  const refusal = useRefusal();
  // A link may lead to the form itself.
  const [isNew, setIsNew] = useState(() => url.has('new'));
  const name = url.get('name');
  const changed = () => client.invalidateQueries({ queryKey: [key] });
  const newButton =
    resource.newButton ??
    (create && (
      <Action
        label={`New ${one}`}
        appearance="primary"
        refusal={refusal(create.operation)}
        onClick={() => setIsNew(true)}
      />
    ));
  return (
    <>
      <SwitchedOff operations={[create?.operation, edit?.operation, remove?.operation]} />
      <LastWarnings />
      <ListTable
        queryKey={key}
        many={many}
        about={about}
        columns={columns}
        sortedBy={sortedBy}
        filterBy={resource.filters}
        list={resource.list}
        nameOf={resource.nameOf}
        pollMs={resource.pollMs}
        actions={newButton}
      />
      <Suspense fallback={null}>
        {name !== null && (
          <RecordPanel
            key={name}
            resource={resource as unknown as Resource<object>}
            name={name}
            onClose={() => go({ name: undefined })}
            onChanged={changed}
          />
        )}
        {create && isNew && (
          <FormDialog
            title={`New ${one}`}
            operation={create.operation}
            spec={create.spec}
            save={(body) => create.save(body)}
            find={finderOf(resource)}
            verify={create.verify && ((body, _version, _force, signal) => create.verify?.(body, signal))}
            test={
              test && !test.isForSaved
                ? (body, signal, chosen) => test.perform(undefined, body, signal, chosen)
                : undefined
            }
            testOptions={optionsOf(test as Resource<object>['test'])}
            onClose={() => {
              setIsNew(false);
              go({ new: undefined }, 'replace');
            }}
            onSaved={(saved) => {
              setIsNew(false);
              changed();
              go({ new: undefined, name: String(saved) });
            }}
          />
        )}
      </Suspense>
    </>
  );
}
