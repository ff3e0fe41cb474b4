/** A document of the store under another name, as the app would have written it (docs/adr/0011-lists.md). */
export const copied = <T extends object>(doc: T | undefined, _key: string, name: string) => ({
  ...doc,
  ...{ _key, name, list_name: name.toLowerCase() },
});
