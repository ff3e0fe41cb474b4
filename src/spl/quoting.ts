import { written } from './argumentValues.ts';

const COMMENT = '```';

/**
 * Writes values into places of a search: as strings, or escaped where a place stands within a string already.
 * @returns writes a value; places come from left to right
 */
export function valueWriter(search: string): (value: string, place: number) => string {
  let index = 0;
  let isWithin = false;
  return (value, place) => {
    while (index < place) {
      const isComment = !isWithin && search.startsWith(COMMENT, index);
      const close = isComment ? search.indexOf(COMMENT, index + COMMENT.length) : -1;
      const character = search.charAt(index);
      if (close >= 0) index = close + COMMENT.length;
      else index += character === '\\' ? 2 : 1;
      if (character === '"') isWithin = !isWithin;
    }
    const text = written(value, true);
    return isWithin ? text : `"${text}"`;
  };
}
