import type { ReactNode } from 'react';
import type { OperationId, Reply } from '../../../client/src/index.ts';
import { ml } from '../../api/client.ts';
import type { FormField, FormSpec } from '../form/spec.ts';

export interface ListQuery {
  search?: string;
  sort_key?: string;
  sort_dir?: 'asc' | 'desc';
  count: number;
  offset: number;
}

/** A filter of a list, with the same name in the address and in the query. */
export interface Filter {
  name: string;
  label: string;
  /** Value -> label. Without options any text is accepted. */
  options?: Readonly<Record<string, string>>;
  /** ISO 8601. */
  isTime?: true;
}

export interface Column<R> {
  label: string;
  /** Sort key of the server. */
  sort?: string;
  width?: number;
  cell(record: R): ReactNode;
}

/** A group of names and values in a panel. */
export interface Facts {
  title?: string;
  rows: readonly (readonly [name: string, value: ReactNode])[];
}

export type Body = Record<string, unknown>;

type ListOperation =
  | 'listAgents'
  | 'listExperiments'
  | 'listLlmConfigurations'
  | 'listMcpConnections'
  | 'listModels'
  | 'listVectorStores'
  | 'listModelAliases'
  | 'listUsageLimits'
  | 'listSearchTools'
  | 'listMaskingPolicies';

/** Reads pages of a list of the app. */
export const createList =
  <O extends ListOperation>(operation: O) =>
  async (query: ListQuery, signal: AbortSignal) => {
    const { result = [], pagination } = await ml.call(operation, { query: query as object } as never, { signal });
    return { items: result as NonNullable<Reply<O>['result']>, total: pagination?.total ?? result.length };
  };

/** How a page lists, shows, creates, changes and deletes records of one kind. */
export interface Resource<R extends object> {
  /** First part of the query keys. */
  key: string;
  one: string;
  many: string;
  /** Shown while the list is empty. */
  about: ReactNode;
  /** Name in the address. */
  nameOf(record: R): string;
  /** Title, if the name is an id. */
  titleOf?(record: R): string;
  versionOf?(record: R): number;
  list(query: ListQuery, signal: AbortSignal): Promise<{ items: R[]; total: number }>;
  /** @returns null if it does not exist */
  read(name: string, signal: AbortSignal): Promise<R | null>;
  columns: readonly Column<R>[];
  sortedBy: { key: string; dir: 'asc' | 'desc' };
  filters?: readonly Filter[];
  facts(record: R): readonly Facts[];
  /** Further content of the panel. */
  more?(record: R): ReactNode;
  /** Milliseconds until the list is read again; 30 s by default. */
  pollMs?(items: readonly R[]): number;
  create?: Form<R> & {
    /** @param from the cloned record. @returns the name of the new one */
    save(body: Body, from?: R): Promise<string>;
    /** Saves only if a test succeeds. */
    verify?(body: Body, signal: AbortSignal): Promise<string>;
  };
  edit?: Form<R> & {
    /** @param version of the record that was read; the call is refused if it has changed since. */
    save(body: Body, version: number | undefined, record: R, force: boolean): Promise<unknown>;
    /** Saves only if a test succeeds. */
    verify?(body: Body, version: number | undefined, record: R, force: boolean, signal: AbortSignal): Promise<unknown>;
  };
  remove?: {
    operation: OperationId;
    /** Records in use cannot be deleted. */
    canForce?: false;
    /** Label of the button; `Delete` by default. */
    label?: string;
    /** @param isChosen whether `choice` was ticked */
    perform(record: R, force: boolean, isChosen: boolean): Promise<unknown>;
    /** The consequences. */
    ask?(record: R): ReactNode;
    /** Label of an optional checkbox. */
    choice?: string;
    /** Whether the record can be deleted; true by default. */
    isFor?(record: R): boolean;
  };
  /** Tests a saved record or a form. */
  test?: {
    operation: OperationId;
    /** Only saved records; see `verify` for forms. */
    isForSaved?: true;
    /** Options of a test. */
    options?: readonly FormField[];
    perform(record: R | undefined, body: Body | undefined, signal: AbortSignal, options: Body): Promise<TestResult>;
  };
  actions?(record: R): ReactNode;
  /** Replaces the button for a new record. */
  newButton?: ReactNode;
}

interface Form<R> {
  operation: OperationId;
  spec: FormSpec;
  /** Set if the form depends on the record. */
  specOf?(record: R): FormSpec;
  /** Converts a record to the values of the form. */
  valuesOf?(record: R): Body;
  /** The reason that this record cannot be changed now. */
  refuse?(record: R): string | undefined;
}

export interface TestResult {
  success: boolean;
  message?: string;
  error_code?: string;
  remedy?: string;
  ms?: number;
  details?: ReactNode;
}
