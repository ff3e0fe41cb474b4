import Button from '@splunk/react-ui/Button';
import Message from '@splunk/react-ui/Message';
import { useEffect, useRef, useState } from 'react';
import { ml } from '../../../../api/client.ts';
import { Row, Stack } from '../../../../app/styles.ts';
import { Action } from '../../../../parts/Action.tsx';
import { Problem } from '../../../../parts/Problem.tsx';
import { Dialog } from '../../../../parts/panel/Dialog.tsx';
import { formatCount } from '../../../../parts/text/format.ts';
import { divide, type FailedDocument, readFiles, type TextDocument } from './pieces.ts';
import { indexedWords } from './words.ts';

interface UploadProps {
  store: string;
  onWritten(words: string): void;
  onClose(): void;
}

/** Files that were sent, and the outcome. */
interface Progress {
  done: number;
  total: number;
  indexed: number;
  passages: number;
}

/** Writes text and Markdown files into a store, each as a document with its name as id. */
export default function Upload({ store, onWritten, onClose }: UploadProps) {
  const [documents, setDocuments] = useState<readonly TextDocument[]>([]);
  const [failed, setFailed] = useState<readonly FailedDocument[]>([]);
  const [progress, setProgress] = useState<Progress>();
  const [failure, setFailure] = useState<unknown>();
  const [abort, setAbort] = useState<AbortController>();
  const closing = useRef<AbortController>();
  useEffect(() => () => closing.current?.abort(), []);

  const choose = async (files: readonly File[]) => {
    const read = await readFiles(files);
    setDocuments(read.documents);
    setFailed(read.failed);
    setProgress(undefined);
    setFailure(undefined);
  };
  const upload = async () => {
    const control = new AbortController();
    closing.current = control;
    setAbort(control);
    setFailure(undefined);
    let now: Progress = { done: 0, total: documents.length, indexed: 0, passages: 0 };
    let waiting = [...documents];
    setProgress(now);
    try {
      for (const request of divide(documents)) {
        const body = { store, documents: request };
        const reply = await ml.call('indexDocuments', { body }, { signal: control.signal });
        now = {
          ...now,
          done: now.done + request.length,
          indexed: now.indexed + reply.indexed,
          passages: now.passages + reply.passages,
        };
        waiting = waiting.slice(request.length);
        setProgress(now);
        setFailed((before) => [...before, ...reply.failed]);
      }
    } catch (error) {
      if (!control.signal.aborted) setFailure(error);
    } finally {
      // A further press sends only what was not reached.
      setDocuments(waiting);
      setAbort(undefined);
      if (now.done > 0) onWritten(indexedWords(now));
    }
  };
  const isRunning = abort !== undefined;
  const count = formatCount(documents.length);
  return (
    <Dialog
      title={`Upload files to ${store}`}
      onClose={onClose}
      footer={
        <Row style={{ width: '100%', justifyContent: 'flex-end' }}>
          <Button label={progress && !isRunning ? 'Close' : 'Cancel'} onClick={onClose} />
          <Action
            label={progress && documents.length > 0 && !isRunning ? 'Upload the others' : 'Upload'}
            appearance="primary"
            busy={isRunning}
            refusal={documents.length === 0 ? 'Choose files first' : undefined}
            onClick={upload}
          />
        </Row>
      }
    >
      <Stack>
        <div>
          Text and Markdown in UTF-8. Each file becomes a document that has its name as id, and replaces the one that
          has this id. A file has at most 1,000,000 characters.
        </div>
        <input
          type="file"
          multiple
          accept=".md,.markdown,.txt,.text,text/plain,text/markdown"
          aria-label="Files"
          disabled={isRunning}
          onChange={({ target }) => choose([...(target.files ?? [])])}
        />
        <Row role="status">
          {progress && (
            <>
              {isRunning && <progress aria-label="Upload" value={progress.done} max={progress.total} />}
              <span>
                {isRunning
                  ? `${formatCount(progress.done)} of ${formatCount(progress.total)} documents sent …`
                  : indexedWords(progress)}
              </span>
            </>
          )}
          {!progress && documents.length > 0 && (
            <span>
              {count} {documents.length === 1 ? 'file' : 'files'} to upload
            </span>
          )}
          {isRunning && <Button label="Stop" onClick={() => abort.abort()} />}
        </Row>
        {failure !== undefined && (
          <Problem
            error={failure}
            note={`${count} ${documents.length === 1 ? 'document was' : 'documents were'} not written.`}
            record={{ family: 'vector-stores', name: store }}
          />
        )}
        {failed.length > 0 && (
          <Message type="warning" appearance="fill">
            <strong>These files were not written.</strong>
            <ul aria-label="Files that were not written">
              {failed.map(({ id, message }) => (
                <li key={id}>
                  {id}: {message}
                </li>
              ))}
            </ul>
          </Message>
        )}
      </Stack>
    </Dialog>
  );
}
