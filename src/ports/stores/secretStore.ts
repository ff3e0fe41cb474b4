/** Secrets by reference; a value may have any length. */
export interface SecretStore {
  /** A new unique reference for a value. */
  reference(family: string, value: string): string;
  /** Idempotent: repeating it writes missing parts. */
  put(ref: string, value: string): Promise<void>;
  /** Undefined when missing or incomplete. */
  get(ref: string): Promise<string | undefined>;
  /**
   * Also succeeds when there is nothing to delete.
   * @param isOver stops further deletions once it returns true
   * @returns whether all parts existed
   */
  remove(ref: string, isOver?: () => boolean): Promise<boolean>;
  /** `ready`. @throws Fault `store_unavailable`, also if passwords are masked */
  status(): Promise<string>;
}
