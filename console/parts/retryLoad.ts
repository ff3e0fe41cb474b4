/** Pauses before what could not be loaded is asked for again, in milliseconds. */
const PAUSES_MS = [300, 1000, 3000];

/** A part of the pages could not be loaded, however often it was asked for. */
class PartMissing extends Error {
  constructor(cause: unknown) {
    super('A part of this page could not be loaded', { cause });
  }
}

/** What a person is told of a page that failed, beside a button that opens it anew. */
export const describeLoadFailure = (error: unknown): string =>
  error instanceof PartMissing
    ? 'The connection was lost or the app was updated. Retry reloads the page.'
    : `Error in this page: ${String(error)}`;

/** @throws PartMissing */
export async function retryLoad<T>(load: () => Promise<T>): Promise<T> {
  for (const pause of PAUSES_MS) {
    try {
      return await load();
    } catch {
      // A machine that changes its network drops what is under way.
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
  return load().catch((cause) => {
    throw new PartMissing(cause);
  });
}
