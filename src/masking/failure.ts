export type FailureReason = 'time' | 'residue' | 'unreadable' | 'error';

/** Masking did not succeed, so nothing may be sent. It carries no text and no cause, since these may hold values. */
export class MaskingFailure extends Error {
  readonly reason: FailureReason;

  constructor(reason: FailureReason) {
    super('The request could not be masked');
    this.name = 'MaskingFailure';
    this.reason = reason;
  }
}
