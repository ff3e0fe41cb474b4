import type { Json } from '../../contract/basics.ts';

/** Search in a vector store. */
export interface PassageQuery {
  text: string;
  /** Passages at most. */
  count: number;
  /** Default: the store decides. */
  searchType?: 'hybrid' | 'semantic' | undefined;
  /** In the operators of Amazon Bedrock Knowledge Bases, as `gateway/retrieval/filter.ts` checks them. */
  filter?: Json | undefined;
}

/** Passage of a store of any kind. */
export interface Passage {
  id?: string;
  /** Empty for a passage without text, such as a picture. */
  text: string;
  /** On a scale of the store. */
  score?: number;
  source: {
    /** In lower case: `s3`, `web` …; absent if unknown. */
    type?: string;
    /** An address, or whatever else names the place. */
    uri?: string;
  };
  metadata: Json;
}
