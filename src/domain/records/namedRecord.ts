/** A record that records of other families can name. */
export type NamedRecord =
  | { kind: 'mcp' | 'knowledge_base' | 'alias' | 'search_tool'; name: string }
  | {
      /** Models of an LLM connection. */
      kind: 'llm';
      service: string;
      connection_name: string;
      models: readonly string[];
      /** Includes models of the connection that are named by their parts and not in `models`. */
      isConnection?: true;
    };
