import type { FaultCode } from '../../../contract/codes/codes.ts';

/** Why one document was not written. */
export interface DocumentFailure {
  code: FaultCode;
  message: string;
}
