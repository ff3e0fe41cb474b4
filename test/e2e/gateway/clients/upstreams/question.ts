/** What a model is asked, whatever the wire format. */
export interface Question {
  messages: readonly { role: string; text: string }[];
  tools: readonly { name: string; schema: Schema }[];
  /** The name of a tool, or `none`; anything else lets the model choose. */
  choice: string | undefined;
  /** A JSON schema, or `json` for any object. */
  format: Schema | 'json' | undefined;
}

export interface Schema {
  type?: string;
  properties?: Record<string, Schema>;
  anyOf?: Schema[];
}

export type Answer =
  | { text: string; finish?: 'length' | 'content_filter' }
  | { calls: { name: string; arguments: object }[]; reasoning?: string };
