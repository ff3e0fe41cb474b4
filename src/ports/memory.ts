/** The memory of this process. */
export interface Memory {
  /** Bytes in use. */
  resident(): number;
  /** Gives back what nothing needs. It takes some 20 ms, in which nothing else is done. */
  giveBack(): void;
}
