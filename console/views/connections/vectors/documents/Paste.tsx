import { ml } from '../../../../api/client.ts';
import FormDialog from '../../../../parts/form/FormDialog.tsx';
import type { FormSpec } from '../../../../parts/form/spec.ts';
import { indexedWords } from './words.ts';

const SPEC: FormSpec = {
  sections: [
    {
      fields: [
        { path: 'id', label: 'Id', placeholder: 'disk-full.md', help: 'A document that has this id is replaced' },
        { path: 'text', label: 'Text', area: true, help: 'Text or Markdown, at most 1,000,000 characters' },
      ],
    },
  ],
  facts: [
    { path: 'id', kind: 'text', required: true, minLength: 1, maxLength: 256 },
    { path: 'text', kind: 'text', required: true, minLength: 1, maxLength: 1_000_000 },
  ],
  leftOut: {},
  submit: 'Index',
};

interface PasteProps {
  store: string;
  onWritten(words: string): void;
  onClose(): void;
}

/** Writes one text into a store. */
export default function Paste({ store, onWritten, onClose }: PasteProps) {
  const save = async ({ id, text }: Record<string, unknown>) => {
    const documents = [{ id: String(id), text: String(text) }];
    const reply = await ml.call('indexDocuments', { body: { store, documents } });
    const [failure] = reply.failed;
    if (failure) throw new Error(failure.message);
    return reply;
  };
  return (
    <FormDialog
      title={`New document of ${store}`}
      operation="indexDocuments"
      spec={SPEC}
      save={save}
      saving="The text is cut into passages, and these are embedded …"
      onClose={onClose}
      onSaved={(reply) => onWritten(indexedWords(reply as { indexed: number; passages: number }))}
    />
  );
}
