import Heading from '@splunk/react-ui/Heading';
import Link from '@splunk/react-ui/Link';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { MlExtensionError, type VectorStore } from '../../../../../client/src/index.ts';
import { ml } from '../../../../api/client.ts';
import { useRead } from '../../../../api/queries.ts';
import { useRefusal } from '../../../../api/rights.ts';
import { Row, Spacer, Stack, StatusArea } from '../../../../app/styles.ts';
import { changed, useForm, useUrl, viewUrl } from '../../../../app/url.ts';
import { Action } from '../../../../parts/Action.tsx';
import { lazyPart } from '../../../../parts/lazyPart.tsx';
import { ResourcePage } from '../../../../parts/panel/ResourcePage.tsx';
import { Empty } from '../../../../parts/table/States.tsx';
import { formatCount } from '../../../../parts/text/format.ts';
import { ReadState } from '../../../../parts/work.tsx';
import { ofDocuments, takesDocuments } from '../words.ts';
import { deleteDocuments, documentsKey, documentsOf } from './resource.tsx';

const DeleteDialog = lazyPart(() => import('../../../../parts/panel/DeleteDialog.tsx'));
const Upload = lazyPart(() => import('./Upload.tsx'));
const Paste = lazyPart(() => import('./Paste.tsx'));

/** The documents of a store: a page in place of the list of stores. */
export default function Documents({ store }: { store: string }) {
  const read = useRead({
    queryKey: ['vectors', 'one', store],
    queryFn: async ({ signal }) => (await ml.call('getVectorStore', { params: { name: store } }, { signal })).config,
  });
  const { data, error } = read;
  const isGone = error instanceof MlExtensionError && error.code === 'not_found';
  return (
    <Stack>
      <Row>
        <Heading level={2} style={{ margin: 0 }}>
          Documents of {data?.name ?? store}
        </Heading>
        <Spacer />
        <UrlLink label="All vector stores" changes={ofDocuments(undefined)} />
        <UrlLink label="Settings of the store" changes={{ ...ofDocuments(undefined), name: store }} />
        <Link to={viewUrl('playground', { tab: 'retrieve', store })}>Try a query</Link>
      </Row>
      {isGone ? (
        <Empty title="No vector store of this name">It was deleted, or you may not read it.</Empty>
      ) : (
        <ReadState read={read} what="the store" />
      )}
      {data && !isGone && <Listed store={data} />}
    </Stack>
  );
}

function UrlLink({ label, changes }: { label: string; changes: Readonly<Record<string, string | undefined>> }) {
  const [url, go] = useUrl();
  return (
    <Link
      to={changed(`?${url}`, changes) || '?'}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        go(changes);
      }}
    >
      {label}
    </Link>
  );
}

function Listed({ store }: { store: VectorStore }) {
  const { name } = store;
  const client = useQueryClient();
  const refusal = useRefusal();
  const uploading = useForm('upload');
  const pasting = useForm('paste');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [deleting, setDeleting] = useState<'chosen' | 'all'>();
  const [outcome, setOutcome] = useState('');
  const hidden = refusal('listDocuments', store);
  if (!takesDocuments(store))
    return (
      <Empty title="This store has documents of its own">They are kept by Amazon Bedrock and its data sources.</Empty>
    );
  if (hidden !== undefined) return <Empty title="You may not see these documents">{hidden}.</Empty>;
  const noWrite = refusal('indexDocuments', store);
  const written = (words: string) => {
    setOutcome(words);
    void client.invalidateQueries({ queryKey: [documentsKey(name)] });
  };
  const toggle = (id: string) => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    setChosen(next);
  };
  const resource = documentsOf(store, { chosen, toggle }, [
    <Action key="upload" label="Upload files" appearance="primary" refusal={noWrite} onClick={uploading.open} />,
    <Action key="paste" label="Paste a text" refusal={noWrite} onClick={pasting.open} />,
  ]);
  const count = formatCount(chosen.size);
  return (
    <>
      <Row>
        <Action
          label={chosen.size === 0 ? 'Delete selected' : `Delete selected (${count})`}
          refusal={noWrite ?? (chosen.size === 0 ? 'Select documents first' : undefined)}
          onClick={() => setDeleting('chosen')}
        />
        <Action
          label="Delete documents"
          appearance="destructive"
          refusal={noWrite}
          onClick={() => setDeleting('all')}
        />
      </Row>
      <StatusArea>{outcome}</StatusArea>
      <ResourcePage resource={resource} />
      {uploading.isOpen && <Upload store={name} onWritten={written} onClose={uploading.close} />}
      {pasting.isOpen && (
        <Paste
          store={name}
          onWritten={(words) => {
            pasting.close();
            written(words);
          }}
          onClose={pasting.close}
        />
      )}
      {deleting && (
        <DeleteDialog
          name={
            deleting === 'all' ? `all documents of ${name}` : `${count} ${chosen.size === 1 ? 'document' : 'documents'}`
          }
          canForce={false}
          ask="Their passages are not found any more. This cannot be undone."
          perform={async () => {
            const deleted = await deleteDocuments(name, deleting === 'all' ? 'all' : [...chosen]);
            written(`${formatCount(deleted)} ${deleted === 1 ? 'document was' : 'documents were'} deleted.`);
          }}
          onClose={() => setDeleting(undefined)}
          onGone={() => {
            setDeleting(undefined);
            setChosen(new Set());
          }}
          onChanged={() => undefined}
        />
      )}
    </>
  );
}
