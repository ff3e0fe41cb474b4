/** Secrets by reference. A value is opaque text of any length; splitting is the adapter's business. */
export interface SecretStore {
  /** A new reference for a value about to be stored: unique, and it changes with every write. */
  reference(family: string, value: string): string;
  /** The same value may be put again under its reference: what is missing of it is written. */
  put(ref: string, value: string): Promise<void>;
  /** Undefined when nothing (or only a part) is stored under the reference. */
  get(ref: string): Promise<string | undefined>;
  /**
   * Also succeeds when there is nothing left to delete. @param isOver true from the moment when nothing more may be begun
   * @returns whether all of it was there
   */
  remove(ref: string, isOver?: () => boolean): Promise<boolean>;
  /** `ready` or a short reason. */
  status(): Promise<string>;
}
