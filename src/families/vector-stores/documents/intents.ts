import { Fault } from '../../../contract/codes/faults.ts';
import { isSameValue } from '../../../domain/values/json.ts';
import type { EmbeddedDocument } from '../../../ports/knowledge/documents.ts';
import type { Intent } from './writeSession.ts';

export const intentOf = ({ id, text, metadata, passages }: EmbeddedDocument): Intent => ({
  id,
  passages: passages.length,
  metadata: JSON.stringify(metadata),
  bytes: Buffer.byteLength(text),
});

/** The record's details are those by which the documents were cut and embedded. @throws Fault `store_unavailable` */
export const sameDetails =
  (details: object) =>
  (now: object): void => {
    if (isSameValue(details, now)) return;
    const message = 'The vector store was changed while the documents were embedded. Try again.';
    throw new Fault('store_unavailable', message);
  };
