import type { Caller } from '../contract/caller.ts';

export interface Sessions {
  /** Who owns this token. Throws Unauthenticated when the platform does not know it (any more). */
  whoami(token: string): Promise<Caller>;
}
