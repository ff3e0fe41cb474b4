import { Fault } from '../../src/contract/codes/faults.ts';
import type { AclInput } from '../../src/contract/schemas/common.ts';
import type { WithAcl } from '../../src/domain/access/acl.ts';
import { BY_LIST } from '../../src/resources/access.ts';
import type { ResourceKind, Shown } from '../../src/resources/kind.ts';
import type { Resource } from '../../src/resources/records.ts';

/** A kind of no meaning: a text, and a secret that goes to a URL. */
export interface Note extends Resource, WithAcl {
  text: string;
  url: string;
  /** What the server has seen of it; reads do not show it. */
  seen?: string | undefined;
}

export interface NoteFields {
  acl?: AclInput;
  text?: string;
  url?: string;
  token?: string | null;
}

export type NoteView = Shown & Pick<Note, 'text' | 'url' | 'acl'> & { token?: string };

export const NOTES = 'notes';
export const SECRET_PATHS = ['token'];

export const noteKind: ResourceKind<Note, NoteFields, NoteView> = {
  family: 'notes',
  collection: NOTES,
  label: 'note',
  access: BY_LIST,
  addresses: ({ url }) => ({ url }),
  merge: (base, { text, url }) => ({
    ...(base?.seen === undefined ? {} : { seen: base.seen }),
    text: text ?? base?.text ?? '',
    url: url ?? base?.url ?? '',
  }),
  problems: ({ text }, { submitted: given }, warnings) => {
    if (text === 'odd') warnings.push('an odd text');
    return [
      ...(text === 'bad' ? [{ field: 'text', message: 'is bad' }] : []),
      ...(given.token === 'bad' ? [{ field: 'token', message: 'is bad' }] : []),
    ];
  },
  // Who reads a text called "read" goes by its URL.
  async assertMayMove(_records, before, next, { isForced, warnings }) {
    if (before.text !== 'read' || before.url === next.url) return;
    if (!isForced) throw new Fault('in_use', 'It is being read');
    warnings.push('a reader is lost');
  },
  carryOver: (next, before) => (before?.url === next.url ? next : { ...next, seen: undefined }),
  view: ({ text, url }) => ({ text, url }),
  hasInlineConfig: ({ text, url, token }) => text !== undefined || url !== undefined || token !== undefined,
  missingForTest: ({ url }) => (url === undefined ? [{ field: 'url', message: 'is required' }] : []),
};
