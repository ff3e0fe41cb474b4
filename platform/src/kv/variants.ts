/** Behaviour on which the sources about splunkd disagree; the first of each is the default, since it forgives least. */
export const REPLACES = ['refuse', 'insert'] as const;
export const BATCHES = ['strict', 'ignore', 'lenient'] as const;

export interface KvVariants {
  /** POST to a key without a document is 404, or inserts one. */
  replace: (typeof REPLACES)[number];
  /**
   * `limit`, `skip` and `sort` of `batch_find` as text, which GET takes: refused, ignored, or understood. Numbers, and
   * `[{"<field>": 1}]` for a sort, are always understood.
   */
  batch: (typeof BATCHES)[number];
}

export const STRICT: KvVariants = { replace: 'refuse', batch: 'strict' };
