import type { Caller } from '../../contract/caller.ts';

/** The platform's definitions of roles; which user has which role is asked elsewhere, at every request. */
export interface Roles {
  /** The roles that a role imports directly; undefined = there is no such role. */
  imports(role: string): Promise<readonly string[] | undefined>;
}

export interface Sessions {
  /** Who owns this token. Throws Unauthenticated when the platform does not know it (any more). */
  whoami(token: string): Promise<Caller>;
}
