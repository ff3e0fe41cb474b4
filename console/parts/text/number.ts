const plain = new Intl.NumberFormat('en');

/** A count as the pages write it, whatever the browser's language: `10,000`. */
export const counted = (count: number): string => plain.format(count);
