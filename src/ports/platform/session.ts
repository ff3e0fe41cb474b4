import type { Caller } from '../../contract/caller.ts';

/** Role definitions of the platform. */
export interface Roles {
  /** Directly imported roles; undefined if the role does not exist. */
  imports(role: string): Promise<readonly string[] | undefined>;
}

/** Users that the platform knows; those of a directory or single sign-on from their first login on. */
export interface Users {
  exists(user: string): Promise<boolean>;
  /** The user with roles and capabilities as they are now (in handlers with imported roles, as a caller has them); undefined if the platform does not list the user. */
  find(user: string): Promise<Caller | undefined>;
}

export interface Sessions {
  /** Throws UnauthenticatedError when the token is invalid or expired. */
  whoami(token: string): Promise<Caller>;
  /** Whether the platform runs with a Splunk Free licence; false if it does not say. */
  isFree(token: string): Promise<boolean>;
}
