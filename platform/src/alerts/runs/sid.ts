import { createHash, randomBytes } from 'node:crypto';
import type { SavedSearch } from '../saved/savedSearch.ts';

/** `scheduler__alice__search__RMD5…_at_1790000000_7`. @param time of the schedule, epoch seconds @param number of the run */
export function scheduledSid(search: SavedSearch, time: number, number: number): string {
  return `scheduler_${partsOf(search)}_at_${time}_${number}`;
}

/** The sid of a search that a user dispatches, which begins with that user. @param time epoch seconds */
export function dispatchedSid(search: SavedSearch, user: string, time: number): string {
  return `${encoded(user).replace(/^_/, '')}_${partsOf(search)}_at_${Math.floor(time)}_${randomBytes(8).toString('hex')}`;
}

function partsOf({ owner, app, name }: SavedSearch): string {
  const hash = createHash('md5').update(name).digest('hex').slice(0, 16);
  return `${encoded(owner)}_${encoded(app)}__RMD5${hash}`;
}

/** Plain names follow an underscore, others are in base64. */
function encoded(text: string): string {
  return /^[A-Za-z0-9]+$/.test(text) ? `_${text}` : Buffer.from(text).toString('base64url');
}
