/** Named fields of a request: their values are masked besides what policies say. */
export interface Naming {
  fields: readonly string[];
  /** Rows that the texts were made of. */
  rows: readonly Readonly<Record<string, unknown>>[] | undefined;
}

interface NamingBody {
  mask_fields?: readonly string[] | null | undefined;
  row?: Readonly<Record<string, unknown>> | null | undefined;
}

/** Members of a body that no provider gets. */
export const NAMING_FIELDS = ['mask_fields', 'row'] as const satisfies (keyof NamingBody)[];

export const namingOf = ({ mask_fields: fields, row }: NamingBody): Naming => ({
  fields: fields ?? [],
  rows: row ? [row] : undefined,
});
