import { OutboundError } from '../../../contract/codes/outbound.ts';

/** Where the tokens of a service come from. */
export interface TokenSource {
  get(): Promise<string>;
  /** A token in place of one that was refused; undefined if there is no other. */
  renewed(refused: string): Promise<string | undefined>;
}

/** Asks once more if the service refuses the token and there is another. */
export async function askWithToken<T>(source: TokenSource, call: (token: string) => Promise<T>): Promise<T> {
  const token = await source.get();
  try {
    return await call(token);
  } catch (error) {
    if (!(error instanceof OutboundError) || error.httpStatus !== 401) throw error;
    const renewed = await source.renewed(token);
    if (renewed === undefined) throw error;
    return call(renewed);
  }
}
