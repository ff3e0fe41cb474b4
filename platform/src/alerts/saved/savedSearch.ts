import { parseBoolean, type Stanza } from '../../confs/conf.ts';
import { spanSeconds } from '../../search/pipeline/times.ts';

/** A saved search as it is run. */
export interface SavedSearch {
  name: string;
  app: string;
  /** As whom it runs; `nobody` for the system user. */
  owner: string;
  /** Whether it belongs to a user, and not to its app. */
  isPrivate: boolean;
  /** Its settings over the defaults of its app and of the system, by their names in savedsearches.conf. */
  keys: Stanza;
}

/** `savedsearch_id` in splunkd's log. */
export function savedSearchId({ name, app, owner, isPrivate }: SavedSearch): string {
  return `${isPrivate ? owner : 'nobody'};${app};${name}`;
}

/** The searches that are suppressed together: those of one owner and group, else each alone. */
export function suppressionId(search: SavedSearch): string {
  const group = search.keys['alert.suppress.group_name']?.trim() ?? '';
  return group === '' ? savedSearchId(search) : JSON.stringify([search.owner, group]);
}

export function isOn(keys: Stanza, key: string): boolean {
  return parseBoolean(keys[key]) ?? false;
}

export function isScheduled({ keys }: SavedSearch): boolean {
  return isOn(keys, 'enableSched') && !isOn(keys, 'disabled');
}

const ACTION = /^action\.([A-Za-z0-9_-]+)$/;

/** The alert actions that are switched on, by `action.<name>` or in the list `actions`. */
export function actionsOf(keys: Stanza): string[] {
  const listed = listOf(keys.actions);
  const switched = Object.keys(keys).flatMap((key) => {
    const name = ACTION.exec(key)?.[1];
    return name !== undefined && isOn(keys, key) ? [name] : [];
  });
  const off = (name: string) => parseBoolean(keys[`action.${name}`]) === false;
  return [...new Set([...listed.filter((name) => !off(name)), ...switched])];
}

/** Names separated by commas. */
export function listOf(text: string | undefined): string[] {
  return (text ?? '').split(',').flatMap((name) => (name.trim() === '' ? [] : [name.trim()]));
}

/** `60`, `30s`, `5m`, `1h` or `1d` in seconds; undefined for anything else. */
export function durationSeconds(text: string | undefined): number | undefined {
  const value = text?.trim() ?? '';
  return /^\d{1,9}$/.test(value) ? Number(value) : spanSeconds(value);
}

/** A time to live: a duration, or `2p` for as many periods of the schedule. */
export function ttlSeconds(text: string | undefined, period: number): number | undefined {
  const [, periods] = /^(\d{1,6})p$/.exec(text?.trim() ?? '') ?? [];
  return periods === undefined ? durationSeconds(text) : Number(periods) * period;
}
