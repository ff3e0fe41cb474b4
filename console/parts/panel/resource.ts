import type { ReactNode } from 'react';
import type { OperationId, Reply } from '../../../client/src/index.ts';
import { ml } from '../../api/client.ts';
import type { FormField, FormSpec } from '../form/spec.ts';

/** What a list is asked for. */
export interface ListQuery {
  search?: string;
  sort_key?: string;
  sort_dir?: 'asc' | 'desc';
  count: number;
  offset: number;
}

/** Narrows a list down; what it is set to stands in the address, and goes to the server under the same name. */
export interface Filter {
  name: string;
  label: string;
  /** Value -> its words. Without them any text is taken. */
  options?: Readonly<Record<string, string>>;
  /** It is a moment, ISO 8601. */
  isTime?: true;
}

export interface Column<R> {
  label: string;
  /** By what the server sorts, if it can. */
  sort?: string;
  width?: number;
  cell(record: R): ReactNode;
}

/** What a panel says of a record: groups of names and values. */
export interface Facts {
  title?: string;
  rows: readonly (readonly [name: string, value: ReactNode])[];
}

/** A secret that a form holds goes along; none is ever in what is read. */
export type Body = Record<string, unknown>;

type ListOperation =
  | 'listAgents'
  | 'listExperiments'
  | 'listLlmConfigurations'
  | 'listMcpConnections'
  | 'listModels'
  | 'listVectorStores';

/** Reads pages of a list of the app. */
export const createList =
  <O extends ListOperation>(operation: O) =>
  async (query: ListQuery, signal: AbortSignal) => {
    const { result = [], pagination } = await ml.call(operation, { query: query as object } as never, { signal });
    return { items: result as NonNullable<Reply<O>['result']>, total: pagination?.total ?? result.length };
  };

/** Records of one kind: how a page lists, shows, makes, changes and removes them. */
export interface Resource<R extends object> {
  /** Begins the names of what has been read. */
  key: string;
  one: string;
  many: string;
  /** What it is, for a page without any. */
  about: ReactNode;
  /** The name that stands in the address. */
  nameOf(record: R): string;
  /** What people call it, where the name is an id. */
  titleOf?(record: R): string;
  versionOf?(record: R): number;
  list(query: ListQuery, signal: AbortSignal): Promise<{ items: R[]; total: number }>;
  /** @returns null if there is none of that name */
  read(name: string, signal: AbortSignal): Promise<R | null>;
  columns: readonly Column<R>[];
  sortedBy: { key: string; dir: 'asc' | 'desc' };
  filters?: readonly Filter[];
  facts(record: R): readonly Facts[];
  /** More of the panel. */
  more?(record: R): ReactNode;
  /** Milliseconds until the list is read again, by what it shows; 30 s unless given. */
  pollMs?(items: readonly R[]): number;
  create?: Form<R> & {
    /**
     * @param from the record that a clone is made of
     * @returns the name of the record
     */
    save(body: Body, from?: R): Promise<string>;
    /** Saves it only if a test of it goes well. */
    verify?(body: Body, signal: AbortSignal): Promise<string>;
  };
  edit?: Form<R> & {
    /** @param version of the record that was read; the call is refused if it has changed since. */
    save(body: Body, version: number | undefined, record: R, force: boolean): Promise<unknown>;
    /** Saves it only if a test of it goes well. */
    verify?(body: Body, version: number | undefined, record: R, force: boolean, signal: AbortSignal): Promise<unknown>;
  };
  remove?: {
    operation: OperationId;
    /** What is in use cannot be removed at all. */
    canForce?: false;
    /** What the button is called; `Delete` unless given. */
    label?: string;
    /** @param isChosen whether `choice` was ticked */
    perform(record: R, force: boolean, isChosen: boolean): Promise<unknown>;
    /** What goes with it. */
    ask?(record: R): ReactNode;
    /** Something to decide with it, as a box to tick. */
    choice?: string;
    /** Whether this one can be deleted at all; all can unless given. */
    isFor?(record: R): boolean;
  };
  /** Of the saved record, or of a form that is not saved yet. */
  test?: {
    operation: OperationId;
    /** A form cannot be tested by itself: see `verify`. */
    isForSaved?: true;
    /** What can be chosen for a test, and is saved nowhere. */
    options?: readonly FormField[];
    perform(record: R | undefined, body: Body | undefined, signal: AbortSignal, options: Body): Promise<TestResult>;
  };
  actions?(record: R): ReactNode;
  /** In place of the button for a new one. */
  newButton?: ReactNode;
}

interface Form<R> {
  operation: OperationId;
  spec: FormSpec;
  /** Where what is asked depends on the record. */
  specOf?(record: R): FormSpec;
  /** The fields of a form from a record: a clone has its own name, and no secrets. */
  valuesOf?(record: R): Body;
  /** Why this record cannot be changed now. */
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
