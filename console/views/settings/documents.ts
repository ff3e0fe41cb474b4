import type { Input, Reply, ResourceFamily } from '../../../client/src/index.ts';

export type ImportPlan = Reply<'importConfiguration'>;
export type PlannedRecord = ImportPlan['result'][number];
export type ImportBody = Input<'importConfiguration'>['body'];
export type Document = ImportBody['document'];

export const MOVABLE = [
  'mcp-connections',
  'llm-providers',
  'container-connections',
  'vector-stores',
  'model-registrations',
  'model_aliases',
  'usage_limits',
  'search_tools',
  'masking_policies',
  'experiments',
  'agents',
] as const satisfies readonly ResourceFamily[];

/** The limit of an import. */
export const MAX_BYTES = 8 * 1024 * 1024;

/** Accepts also the reply of an export. @returns a message if the text is not a document */
export function documentIn(text: string): Document | string {
  if (text.trim() === '') return 'Choose a file, or paste its text.';
  if (new Blob([text]).size > MAX_BYTES) return 'The document is larger than 8 MB. Export and import by kind.';
  try {
    const value = JSON.parse(text) as { document?: Document; format?: string } | null;
    if (typeof value !== 'object' || value === null) return 'Not an export of this app.';
    return (value.format === undefined && value.document) || (value as Document);
  } catch (error) {
    return `Invalid JSON: ${(error as Error).message}.`;
  }
}

export const keyOf = ({ family, name }: { family: string; name: string }): string => `${family}/${name}`;

/** `<family>/<name>` -> path -> secret. */
export type TypedSecrets = Readonly<Record<string, Readonly<Record<string, string>>>>;

export function sentSecrets(typed: TypedSecrets): ImportBody['secrets'] {
  const records = Object.entries(typed).map(([key, values]) => {
    const filled = Object.entries(values).filter(([, value]) => value !== '');
    return [key, Object.fromEntries(filled)] as const;
  });
  return Object.fromEntries(records.filter(([, values]) => Object.keys(values).length > 0));
}
