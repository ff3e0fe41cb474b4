/** `ml_extension.conf` as the platform merges it: stanza -> key -> text. */
export type Stanzas = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** What one request knows of the settings. */
export interface Settings {
  /** As they are now: read since the request came, so that nobody is refused for want of what they have just set. */
  read(): Promise<Stanzas>;
  /** Perhaps some seconds old. Enough to let a request pass, never to refuse one. */
  recent(): Promise<Stanzas>;
}
