/** The memory of this process. */
export interface Memory {
  /** Bytes in use. */
  resident(): number;
  /** Gives back what nothing needs. It takes some 20 ms, more with much that is needed (3 ms for each MB), and nothing else is done meanwhile. */
  giveBack(): void;
}
