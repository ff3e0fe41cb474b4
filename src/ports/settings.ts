/** `ml_extension.conf` as the platform merges it: stanza -> key -> text. At most a few seconds old. */
export type Stanzas = Readonly<Record<string, Readonly<Record<string, string>>>>;

export interface Settings {
  read(): Promise<Stanzas>;
}
