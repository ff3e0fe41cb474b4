import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { useRead } from '../../api/queries.ts';
import { useRefusal, useWho } from '../../api/rights.ts';
import { Stack } from '../../app/styles.ts';
import { useForm, useUrl } from '../../app/url.ts';
import { Action } from '../../parts/Action.tsx';
import { lazyPart } from '../../parts/lazyPart.tsx';
import { Problem } from '../../parts/Problem.tsx';
import type { Resource } from '../../parts/panel/resource.ts';
import { SwitchedOff } from '../../parts/SwitchedOff.tsx';
import { ListTable } from '../../parts/table/ListTable.tsx';
import { Warnings } from '../../parts/Warnings.tsx';
import { CLOUD, register } from './cloud.tsx';
import { modelResource } from './files.tsx';
import { REGISTER } from './form.ts';
import { addressOf, findModel, idIn } from './names.ts';

const FormDialog = lazyPart(() => import('../../parts/form/FormDialog.tsx'));
const RecordPanel = lazyPart(() => import('../../parts/panel/RecordPanel.tsx'));
const Upload = lazyPart(() => import('./Upload.tsx'));

export default function Models() {
  const [url] = useUrl();
  const client = useQueryClient();
  const refusal = useRefusal();
  const { data: who } = useWho();
  const models = useMemo(() => modelResource(who?.username), [who?.username]);
  const uploading = useForm('upload');
  const registering = useForm('register');
  const [warnings, setWarnings] = useState<readonly string[]>([]);
  const name = url.get('name');
  const changed = () => {
    for (const key of [models.key, CLOUD.key]) client.invalidateQueries({ queryKey: [key] });
  };
  const buttons = (
    <>
      <Action
        label="New cloud model"
        refusal={refusal('registerModel')}
        onClick={() => {
          setWarnings([]);
          registering.open();
        }}
      />
      <Action label="New ONNX model" appearance="primary" refusal={refusal('uploadModel')} onClick={uploading.open} />
    </>
  );
  return (
    <Stack>
      <SwitchedOff operations={['uploadModel', 'registerModel']} />
      <Warnings texts={warnings} />
      <ListTable resource={models} actions={buttons} />
      {name !== null && <FilePanel key={name} address={name} files={models as Resource<object>} onChanged={changed} />}
      {uploading.isOpen && (
        <Upload
          onClose={uploading.close}
          onUploaded={changed}
          onDone={(model) => uploading.closeFor(addressOf(model))}
        />
      )}
      {registering.isOpen && (
        <FormDialog
          title="New cloud model"
          operation="registerModel"
          spec={REGISTER}
          save={register}
          test={(body, signal) => CLOUD.test?.perform(undefined, body, signal, {}) ?? Promise.reject()}
          onClose={registering.close}
          onSaved={(saved) => {
            const { model_name, warnings: texts = [] } = saved as Awaited<ReturnType<typeof register>>;
            setWarnings(texts);
            changed();
            registering.closeFor(addressOf({ name: String(model_name), type: 'cloud' }));
          }}
        />
      )}
    </Stack>
  );
}

interface FilePanelProps {
  address: string;
  files: Resource<object>;
  onChanged(): void;
}

/** The panel of a model, with the full record of a registration if the user may read it. */
function FilePanel({ address, files, onChanged }: FilePanelProps) {
  const [, go] = useUrl();
  const refusal = useRefusal();
  const { type } = idIn(address);
  const upload = useRead({
    queryKey: ['models', 'find', address],
    queryFn: ({ signal }) => findModel(address, signal),
    enabled: type === undefined,
  });
  useEffect(() => {
    if (upload.data) go({ name: addressOf(upload.data) }, 'replace');
  }, [upload.data, go]);
  if (upload.error) return <Problem error={upload.error} onRetry={() => upload.refetch()} />;
  if (type === undefined && upload.data !== null) return null;
  const isRegistration = type === 'cloud' && refusal('getRegistration') === undefined;
  return (
    <RecordPanel
      resource={isRegistration ? (CLOUD as unknown as Resource<object>) : files}
      name={address}
      onClose={() => go({ name: undefined })}
      onChanged={onChanged}
    />
  );
}
