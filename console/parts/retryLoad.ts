/** Pauses between tries in milliseconds. */
const PAUSES_MS = [300, 1000, 3000];

class MissingPartError extends Error {
  constructor(cause: unknown) {
    super('A part of this page could not be loaded', { cause });
  }
}

/** The message beside the Retry button of a failed page. */
export const describeLoadFailure = (error: unknown): string =>
  error instanceof MissingPartError
    ? 'The connection was lost or the app was updated. Retry reloads the page.'
    : `Error in this page: ${String(error)}`;

/** @throws MissingPartError */
export async function retryLoad<T>(load: () => Promise<T>): Promise<T> {
  for (const pause of PAUSES_MS) {
    try {
      return await load();
    } catch {
      // A change of the network drops requests.
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
  return load().catch((cause) => {
    throw new MissingPartError(cause);
  });
}
