import { useSyncExternalStore } from 'react';

/** State in the address, so that reload, Back and pasted links restore it. */
export type UrlChanges = Readonly<Record<string, string | undefined>>;
export type Go = (changes: UrlChanges, how?: 'push' | 'replace') => void;

const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('popstate', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('popstate', listener);
  };
}

/** A query string with these changes; undefined and the empty text remove a key. */
export function changed(search: string, changes: UrlChanges): string {
  const query = new URLSearchParams(search);
  for (const [key, value] of Object.entries(changes)) {
    if (value === undefined || value === '') query.delete(key);
    else query.set(key, value);
  }
  const text = query.toString();
  return text && `?${text}`;
}

const go: Go = (changes, how = 'push') => {
  const { pathname, search } = window.location;
  const next = changed(search, changes);
  if (next === search) return;
  window.history[how === 'push' ? 'pushState' : 'replaceState'](null, '', `${pathname}${next}`);
  for (const listener of listeners) listener();
};

export function useUrl(): [URLSearchParams, Go] {
  const search = useSyncExternalStore(subscribe, () => window.location.search);
  return [new URLSearchParams(search), go];
}

/** A form whose open state is in the address: Back closes it, a reload opens it again. */
export function useForm(name: string) {
  const [url, go] = useUrl();
  return {
    isOpen: url.has(name),
    open: () => go({ [name]: '1' }),
    close: () => go({ [name]: undefined }, 'replace'),
    /** Closes it and opens the panel of a record. */
    closeFor: (record: string) => go({ [name]: undefined, name: record }, 'replace'),
  };
}

/** The address of a view of this app. */
export function viewUrl(view: string, query: UrlChanges = {}): string {
  const folder = window.location.pathname.replace(/[^/]*\/?$/, '');
  return `${folder}${view}${changed('', query)}`;
}

/** The part of the address before the app. */
export const site = (): string => /^(.*?)\/app\//.exec(window.location.pathname)?.[1] ?? '';

/** The search page of the platform with this search. */
export const searchUrl = (search: string): string => `${site()}/app/search/search?q=${encodeURIComponent(search)}`;

/** The search page of the platform with the results of this job. */
export const jobUrl = (sid: string): string => `${site()}/app/search/search?sid=${encodeURIComponent(sid)}`;

/** The page of the platform where administrators give capabilities to roles. */
export const rolesUrl = (): string => `${site()}/manager/system/authorization/roles`;
