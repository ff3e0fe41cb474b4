import Button from '@splunk/react-ui/Button';
import { useEffect, useRef, useState } from 'react';
import { MlExtension, type UploadedModel } from '../../../client/src/index.ts';
import { Row, Stack } from '../../app/styles.ts';
import FormDialog from '../../parts/form/FormDialog.tsx';
import type { FieldProps } from '../../parts/form/spec.ts';
import { Dialog } from '../../parts/panel/Dialog.tsx';
import { FactList } from '../../parts/panel/FactList.tsx';
import type { Body } from '../../parts/panel/resource.ts';
import { sizeWords } from '../../parts/text/format.ts';
import { fetchWithProgress } from './fetchWithProgress.ts';
import { type ChosenFile, upload } from './form.ts';
import { Tensors } from './Tensors.tsx';
import { fieldWords } from './words.ts';

/** 30 MB on a slow line. */
const TIMEOUT_MS = 900_000;

interface UploadProps {
  onClose(): void;
  /** The user has seen the details of the uploaded model. */
  onDone(model: UploadedModel): void;
  onUploaded(): void;
}

/** Uploads an ONNX file, and shows its details. */
export default function Upload({ onClose, onDone, onUploaded }: UploadProps) {
  const [share, setShare] = useState(0);
  const [model, setModel] = useState<UploadedModel>();
  const abort = useRef<AbortController>();
  useEffect(() => () => abort.current?.abort(), []);
  const save = async ({ model_file, targets = '', ...body }: Body): Promise<UploadedModel> => {
    const { file } = model_file as ChosenFile;
    abort.current = new AbortController();
    setShare(0);
    const client = new MlExtension({
      auth: 'browser',
      timeoutMs: TIMEOUT_MS,
      retries: 0,
      fetch: fetchWithProgress(setShare),
    });
    const request = { ...body, targets, file_name: file.name, model_file: await base64(file) };
    const { signal } = abort.current;
    return (await client.call('uploadModel', { body: request as never }, { signal })).config;
  };
  if (model) return <Uploaded model={model} onClose={() => onDone(model)} />;
  return (
    <FormDialog
      title="New ONNX model"
      operation="uploadModel"
      spec={upload(FileControl)}
      save={save}
      saving={<Progress share={share} onStop={() => abort.current?.abort()} />}
      onClose={onClose}
      onSaved={(saved) => {
        setModel(saved as UploadedModel);
        onUploaded();
      }}
    />
  );
}

function Progress({ share, onStop }: { share: number; onStop(): void }) {
  return (
    <Row>
      <progress aria-label="Upload" value={share} max={1} />
      <span>{share < 1 ? `Uploading: ${Math.floor(share * 100)} %` : 'Uploaded. Checking the file …'}</span>
      <Button label="Stop waiting" onClick={onStop} />
    </Row>
  );
}

function FileControl({ field, value, error, onChange }: FieldProps) {
  const { file } = (value ?? {}) as Partial<ChosenFile>;
  return (
    <Row>
      <input
        type="file"
        accept=".onnx"
        aria-label={field.label}
        aria-invalid={error !== undefined}
        onChange={({ target }) => {
          const [chosen] = target.files ?? [];
          onChange(chosen && { file: chosen });
        }}
      />
      {file && <span>{sizeWords(file.size)}</span>}
    </Row>
  );
}

function Uploaded({ model, onClose }: { model: UploadedModel; onClose(): void }) {
  const { name, size_bytes, features, targets, ir_version, opset_version, inputs, outputs } = model;
  return (
    <Dialog
      title={`${name} is uploaded`}
      onClose={onClose}
      footer={<Button label="Done" appearance="primary" onClick={onClose} />}
    >
      <Stack>
        <FactList
          rows={[
            ['Size', sizeWords(size_bytes)],
            ['Features', fieldWords(features)],
            ['Targets', fieldWords(targets)],
            ['Format', `ONNX, IR version ${ir_version}, opset ${opset_version ?? 'of its own'}`],
          ]}
        />
        <Tensors model={name} inputs={inputs} outputs={outputs} />
      </Stack>
    </Dialog>
  );
}

/** @throws DOMException if the file cannot be read */
function base64(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}
