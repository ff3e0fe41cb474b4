/** `ml_extension.conf` as the platform merges it: stanza -> key -> text. */
export type Stanzas = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** What one request knows of the settings. */
export interface Settings {
  /** As they are now: read since the request came, so that nobody is refused for lack of something they have just set. */
  read(): Promise<Stanzas>;
  /** Perhaps a few seconds old. Good enough to let a request pass, but never to refuse one. */
  recent(): Promise<Stanzas>;
}
