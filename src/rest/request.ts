/** A parsed but unvalidated request. */
export interface RestRequest {
  method: string;
  /** Path after the namespace (`/ml/…`), percent-encoded or decoded. */
  path: string;
  query: readonly (readonly [string, string])[];
  headers: readonly (readonly [string, string])[];
  body: Uint8Array | undefined;
  /** Undefined for an anonymous call. */
  sessionToken: string | undefined;
  systemToken: string | undefined;
  /** Base URL of the platform's management port. */
  serverUri: string;
  /** Identifies the member of a cluster. */
  serverId?: string | undefined;
}

/** The part of a request that an endpoint validates, besides the path. */
export type CallInput = Pick<RestRequest, 'query' | 'headers' | 'body'>;

export interface RestReply {
  status: number;
  headers: Record<string, string>;
  payload: unknown;
}

export function header(request: Pick<RestRequest, 'headers'>, name: string): string | undefined {
  return request.headers.find(([key]) => key.toLowerCase() === name)?.[1];
}
