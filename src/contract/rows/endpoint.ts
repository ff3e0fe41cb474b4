import type { Static, TObject, TSchema } from 'typebox';
import type { AuditedRow } from '../audit.ts';
import type { Gate } from '../capabilities.ts';
import type { FaultCode } from '../codes/codes.ts';
import type { FeatureFlag } from '../settings/flags.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/**
 * An endpoint: routing, validation, gate, types, pruning and documentation are derived from it.
 * In `path`, `{name}` is one segment and `{name...}` the rest of the path.
 */
export interface Endpoint {
  /** operationId and name of the handler. */
  readonly id: string;
  readonly method: Method;
  readonly path: `/ml/${string}` | '/ai_gateway' | `/ai_gateway/${string}`;
  readonly summary: string;
  readonly gate: Gate;
  /** 403 `feature_disabled` while this flag is off; for writes, tests and tool lists only. */
  readonly flag?: FeatureFlag;
  readonly params?: TObject;
  readonly query?: TObject;
  readonly body?: TSchema;
  /** The handler gets the bytes of the body, which are not checked; `body` only describes them. */
  readonly rawBody?: true;
  /** The body is wrapped in `payload` (container families). */
  readonly wrapped?: true;
  /** An empty body means `{}`. */
  readonly emptyBody?: true;
  /** Unknown fields are kept and cause no warnings. */
  readonly keepsUnknown?: true;
  /** Integers of the body beyond 2^53 are bigints: nothing rounds them. */
  readonly exactIntegers?: true;
  /** The handler refuses what is nested too deep itself. Default: a value without a schema may have 100 levels. */
  readonly judgesDepth?: true;
  /** In bytes; default 1 MB. */
  readonly maxBody?: number;
  /**
   * A body field with a file, as base64 in JSON or as a part of `multipart/form-data`. The handler gets the bytes as
   * `file`. `maxBytes` limits the decoded size.
   */
  readonly file?: { readonly field: string; readonly maxBytes: number };
  /** Supports `If-Match`, `?version=` and `version` in the body. */
  readonly conditional?: true;
  /** Why a DELETE is not conditional. */
  readonly unversioned?: string;
  /** The 200 body without `status` and `message`. */
  readonly reply: TSchema;
  /** The endpoint checks access lists. Implied for families whose records have an access list. */
  readonly acl?: true;
  /** Usage limits hold its callers, administrators as well: imported roles are looked up for all. */
  readonly limited?: true;
  /** The reply has no `status` or `message` (only `GET /ml/openapi`). */
  readonly bare?: true;
  /** Reads and writes no stored document, so it works with any schema version of the store. */
  readonly storeless?: true;
  /** A failed test answers 200 with `status: "fail"`. */
  readonly answersFailure?: true;
  /** Required for every endpoint except GET, unless `unaudited` has the reason. */
  readonly audit?: AuditedRow;
  readonly unaudited?: string;
  /**
   * Whether it waits for other servers: `always` = it takes a slot before its work, which writes before it calls. Rows whose
   * codes include an upstream's need no `maybe`.
   */
  readonly callsUpstream?: 'always' | 'maybe';
  /** An overloaded upstream is status 529, which clients of Anthropic know. */
  readonly overloadStatus?: true;
  /** Codes besides those that every endpoint of this shape can return. */
  readonly faults: readonly FaultCode[];
  /** The endpoint is an addition to the given interface. */
  readonly addition?: true;
}

/** Keeps the literal types of a family's rows. */
export function endpoints<const T extends Readonly<Record<string, Omit<Endpoint, 'id'>>>>(rows: T): T {
  return rows;
}

type StaticOr<S, Else> = S extends TSchema ? Static<S> : Else;

/** The parts of a call typed by the endpoint. */
export type CallOf<R extends Omit<Endpoint, 'id'>> = {
  params: StaticOr<R['params'], Record<string, never>>;
  query: StaticOr<R['query'], Record<string, never>>;
  body: R extends { rawBody: true } ? undefined : StaticOr<R['body'], undefined>;
  file: R extends { file: object } ? Uint8Array : undefined;
} & (R extends { rawBody: true } ? { rawBody: Uint8Array } : unknown);

/** Result of a handler: the reply, an optional message, and `status: 'fail'` for failed tests. */
export type ReplyOf<R extends Omit<Endpoint, 'id'>> = R extends { bare: true }
  ? Static<R['reply']>
  : Static<R['reply']> & { message?: string } & (R extends { answersFailure: true }
        ? { status?: 'success' | 'fail'; error_code?: string }
        : { status?: 'success' });
