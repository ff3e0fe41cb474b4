import type { Caller } from '../contract/caller.ts';
import { Fault } from '../contract/codes/faults.ts';
import { mayRead, type WithAcl } from '../domain/access/acl.ts';

/** Records of one kind that name another record. */
export interface Users {
  /** Plural, for messages. */
  kind: string;
  records: readonly (WithAcl & { name: string })[];
}

/** @throws Fault `in_use` with the users that the caller may read in `used_by` */
export function assertNoUsers(caller: Caller, ...all: readonly Users[]): void {
  const users = all.filter(({ records }) => records.length > 0);
  if (users.length === 0) return;
  const readable = ({ records }: Users) => records.filter((one) => mayRead(caller, one)).map(({ name }) => name);
  const texts = users.map((one) => {
    const names = readable(one);
    const hidden = one.records.length - names.length;
    return `${one.kind}: ${[...names, ...(hidden > 0 ? [`${hidden} that you may not read`] : [])].join(', ')}`;
  });
  throw new Fault('in_use', `It is used by ${texts.join('; ')}. Use force=true to delete it anyway.`, {
    used_by: users.flatMap(readable),
  });
}
