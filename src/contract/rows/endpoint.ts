import type { Static, TObject, TSchema } from 'typebox';
import type { AuditedRow } from '../audit.ts';
import type { Gate } from '../capabilities.ts';
import type { FaultCode } from '../codes/codes.ts';
import type { FeatureFlag } from '../settings/flags.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/**
 * One endpoint: the single source of its routing, validation, gate, types, pruning and documentation.
 * `path` begins with `/ml`; `{name}` is one segment, `{name...}` the rest of the path (last only).
 */
export interface Endpoint {
  /** operationId; also the name of the handler. */
  readonly id: string;
  readonly method: Method;
  readonly path: `/ml/${string}`;
  readonly summary: string;
  readonly gate: Gate;
  /** 403 `feature_disabled` while this flag is off. Writes, tests and tool lists have one, reads have none. */
  readonly flag?: FeatureFlag;
  readonly params?: TObject;
  readonly query?: TObject;
  readonly body?: TSchema;
  /** The body stands under the key `payload` (container families). */
  readonly wrapped?: true;
  /** An empty body is read as `{}`. */
  readonly emptyBody?: true;
  /** Free-form blobs: unknown fields are kept, not named in `warnings`. */
  readonly keepsUnknown?: true;
  /** Bytes; 1 MB unless given. */
  readonly maxBody?: number;
  /**
   * A body field that holds a file: base64 in JSON, or a part of `multipart/form-data`. The handler gets the bytes as
   * `file`; the field itself is empty then. `maxBytes` counts them decoded.
   */
  readonly file?: { readonly field: string; readonly maxBytes: number };
  /** `If-Match`, `?version=` and `version` of the body are honoured. */
  readonly conditional?: true;
  /** Of a DELETE that is not conditional: why a condition has nothing to be compared with. */
  readonly unversioned?: string;
  /** The 200 body beside `status` and `message`. */
  readonly reply: TSchema;
  /**
   * Access lists decide here: the caller's roles count with all that they import. Rows of families whose records have an
   * access list need not say so.
   */
  readonly acl?: true;
  /** The reply is this document as it is, without `status` (only `GET /ml/openapi`). */
  readonly bare?: true;
  /** No stored document is read or written: the row answers whatever the schema of the store is. */
  readonly storeless?: true;
  /** A well-formed test that fails answers 200 with `status: "fail"`. */
  readonly answersFailure?: true;
  /** What the audit trail says of it. Every row that is no GET has this, or says why it is `unaudited`. */
  readonly audit?: AuditedRow;
  readonly unaudited?: string;
  /** Codes beyond those that every endpoint of this shape can answer. */
  readonly faults: readonly FaultCode[];
  /** The row goes beyond the interface as given. */
  readonly addition?: true;
}

/** Keeps the literal types of a family's rows. */
export function endpoints<const T extends Readonly<Record<string, Omit<Endpoint, 'id'>>>>(rows: T): T {
  return rows;
}

type StaticOr<S, Else> = S extends TSchema ? Static<S> : Else;

/** The typed part of a call that a row decides. */
export interface CallOf<R extends Omit<Endpoint, 'id'>> {
  params: StaticOr<R['params'], Record<string, never>>;
  query: StaticOr<R['query'], Record<string, never>>;
  body: StaticOr<R['body'], undefined>;
  file: R extends { file: object } ? Uint8Array : undefined;
}

/** What a handler returns: the row's reply, an optional message, and `status: 'fail'` for tests that failed. */
export type ReplyOf<R extends Omit<Endpoint, 'id'>> = R extends { bare: true }
  ? Static<R['reply']>
  : Static<R['reply']> & { message?: string } & (R extends { answersFailure: true }
        ? { status?: 'success' | 'fail'; error_code?: string }
        : { status?: 'success' });
