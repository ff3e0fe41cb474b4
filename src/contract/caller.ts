/** The caller: the owner of the session token, whatever the URL says. */
export interface Caller {
  user: string;
  /** Where access lists decide: with every role that they import. */
  roles: string[];
  capabilities: string[];
  /** Names in the request's access list that are not roles of the platform. */
  unknownRoles?: readonly string[];
}

/** The platform does not know the session token (any more): answered with the platform's own 401 body. */
export class Unauthenticated extends Error {}
