/** Session storage has about 5 MB for all forms of a tab. */
const MAX_CHARACTERS = 200_000;
const PREFIX = 'ml_extension form ';

const ofUser = (): string => `${PREFIX}${JSON.stringify(window.$C?.USERNAME ?? '')} `;

/** The key of what a user has typed. @param parts that tell forms and fields apart */
export const keyOf = (...parts: readonly unknown[]): string => `${ofUser()}${JSON.stringify(parts)}`;

/** Text that was typed and neither sent nor discarded; empty without it. */
export function readKept(key: string): string {
  try {
    return sessionStorage.getItem(key) ?? '';
  } catch {
    return '';
  }
}

/** Without storage, or if it is full, input is kept only while its page is open. */
export function keep(key: string, text: string): void {
  try {
    sessionStorage.removeItem(key);
    if (text !== '' && text.length <= MAX_CHARACTERS) sessionStorage.setItem(key, text);
  } catch {
    // The copy is lost, the input is not.
  }
}

/** Removes the input of other users at the start, and all when the user logs out in this tab. */
export function guardDrafts(): void {
  removeKept((key) => !key.startsWith(ofUser()));
  const logout = '[href*="/account/logout"], [formaction*="/account/logout"]';
  document.addEventListener(
    'click',
    ({ target }) => {
      if (target instanceof Element && target.closest(logout)) removeKept(() => true);
    },
    true,
  );
}

function removeKept(isRemoved: (key: string) => boolean): void {
  try {
    for (const key of Object.keys(sessionStorage))
      if (key.startsWith(PREFIX) && isRemoved(key)) sessionStorage.removeItem(key);
  } catch {
    // A browser that forbids storage has no drafts.
  }
}
