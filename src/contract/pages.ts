/** A page of a list ends here, also one of `count=0`; a single larger entry is shown all the same. */
export const MAX_PAGE_BYTES = 16 * 1024 * 1024;

/** Entries of a page unless the caller asks for another number. */
export const DEFAULT_COUNT = 30;
