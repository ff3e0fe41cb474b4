/** One call as the pipeline sees it: the driver has taken the frame apart, nothing is trusted yet. */
export interface RestRequest {
  method: string;
  /** Path after the namespace: `/ml/…`; its segments may be percent-encoded or decoded. */
  path: string;
  query: readonly (readonly [string, string])[];
  headers: readonly (readonly [string, string])[];
  /** Raw bytes; undefined when there is no body. */
  body: Uint8Array | undefined;
  /** The caller's session token; undefined for an anonymous call. */
  sessionToken: string | undefined;
  systemToken: string | undefined;
  /** Base address of the platform's management port. */
  serverUri: string;
  /** What tells this member of a cluster from the others. */
  serverId?: string | undefined;
}

/** The part of it that its row checks, beside the path. */
export type CallInput = Pick<RestRequest, 'query' | 'headers' | 'body'>;

export interface RestReply {
  status: number;
  headers: Record<string, string>;
  payload: unknown;
}

export function header(request: Pick<RestRequest, 'headers'>, name: string): string | undefined {
  return request.headers.find(([key]) => key.toLowerCase() === name)?.[1];
}
