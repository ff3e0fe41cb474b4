/** One of the slots of a machine. */
export interface Slot {
  release(): void;
}

/** The slot of one request, which is taken when it is needed and held until the end. */
export class HeldSlot {
  #slot: Promise<Slot> | undefined;

  /** Takes a slot at the first call, also of several at once. */
  async enter(take: () => Promise<Slot>): Promise<void> {
    this.#slot ??= take();
    await this.#slot;
  }

  /** Gives the slot back until `enter` is called again. */
  async pause(): Promise<void> {
    const left = this.leave();
    this.#slot = undefined;
    await left;
  }

  /** At the end of the request: a later `enter` takes no slot. */
  async leave(): Promise<void> {
    await this.#slot?.then(
      (slot) => slot.release(),
      () => {},
    );
  }
}
