import type { Fields, Resource, ResourceKind, Shown } from '../../src/resources/kind.ts';

/** A kind of no meaning: a text, and a secret that goes to a URL. */
export interface Note extends Resource {
  text: string;
  url: string;
  /** What the server has seen of it; reads do not show it. */
  seen?: string;
}

export interface NoteFields extends Fields {
  text?: string;
  url?: string;
  token?: string | null;
}

export type NoteView = Shown & Pick<Note, 'text' | 'url'> & { token?: string };

export const NOTES = 'notes';
export const SECRET_PATHS = ['token'];

export const noteKind: ResourceKind<Note, NoteFields, NoteView> = {
  family: 'notes',
  collection: NOTES,
  label: 'note',
  addresses: ({ url }) => ({ url }),
  sortKeys: ['text', 'url'],
  merge: (base, { text, url }) => ({
    ...(base?.seen === undefined ? {} : { seen: base.seen }),
    text: text ?? base?.text ?? '',
    url: url ?? base?.url ?? '',
  }),
  problems: ({ text }, { given }, warnings) => {
    if (text === 'odd') warnings.push('an odd text');
    return [
      ...(text === 'bad' ? [{ field: 'text', message: 'is bad' }] : []),
      ...(given.token === 'bad' ? [{ field: 'token', message: 'is bad' }] : []),
    ];
  },
  settle: (next, before) => (before?.url === next.url ? next : { text: next.text, url: next.url }),
  view: ({ text, url }) => ({ text, url }),
  gives: ({ text, url, token }) => text !== undefined || url !== undefined || token !== undefined,
  missing: ({ url }) => (url === undefined ? [{ field: 'url', message: 'is required' }] : []),
};
