import { errorName } from '../../contract/basics.ts';
import type { Stores } from '../../domain/records/sealedRecord.ts';
import { timeText } from '../../domain/values/time.ts';
import type { Messages } from '../../ports/platform/messages.ts';
import { USAGE_COUNTERS } from './counterDocs.ts';
import type { LimitReach } from './limitedUses.ts';

interface MessageSite {
  stores: Pick<Stores, 'records' | 'log'>;
  messages: Messages;
}

/** Marks that the message of a limit and window was posted, by whichever process. */
interface MarkDoc {
  _key: string;
  kind: 'message';
  ends: number;
}

/** Messages about limits that are nearly used or used up: one each a limit and window, whoever has used it. */
export class LimitMessages {
  /** Messages that this process knows to be posted, and when their windows end. */
  readonly #posted = new Map<string, number>();
  #waiting: LimitReach[] = [];

  /** @param now epoch seconds @returns whether a message is to be posted */
  note(reached: LimitReach, now: number): boolean {
    const key = keyOf(reached);
    if (this.#posted.has(key)) return false;
    for (const [old, ends] of this.#posted) if (ends < now) this.#posted.delete(old);
    this.#posted.set(key, reached.ends);
    this.#waiting.push(reached);
    return true;
  }

  /** Never rejects: a message that cannot be posted costs a log line. */
  async post({ stores: { records, log }, messages }: MessageSite): Promise<void> {
    for (const reached of this.#waiting.splice(0)) {
      const { limit, ends, isUsedUp } = reached;
      const key = keyOf(reached);
      try {
        if (!(await records.insert<MarkDoc>(USAGE_COUNTERS, { _key: key, kind: 'message', ends }))) continue;
        await messages.post({
          name: `ml_extension_${key}`,
          text: textOf(reached),
          severity: isUsedUp && limit.action === 'refuse' ? 'error' : 'warn',
          capability: 'edit_usage_limits',
        });
      } catch (error) {
        const cause = errorName(error);
        log.warn('usage_limit_message_not_posted', { limit: limit.name, cause });
      }
    }
  }
}

const keyOf = ({ limit: { limit_id, window }, ends, isUsedUp }: LimitReach): string =>
  `${ends}.${window}.${limit_id}.message${isUsedUp ? 100 : 80}`;

function textOf({ limit: { name, per, window }, ends, isUsedUp }: LimitReach): string {
  const what = isUsedUp ? 'used up' : 'used to 80 %';
  const whom = per === 'user' ? ' by at least one user' : '';
  return `The usage limit "${name}" of this ${window} is ${what}${whom}. It resets at ${timeText(ends)}.`;
}
