/** The owner of the session token; the user in the URL does not count. */
export interface Caller {
  user: string;
  /** With imported roles for endpoints that check access lists. */
  roles: string[];
  capabilities: string[];
  /** Roles in the request's access list that do not exist. */
  unknownRoles?: readonly string[];
}

/** The session token is invalid or expired; the reply is the platform's 401 body. */
export class UnauthenticatedError extends Error {}
