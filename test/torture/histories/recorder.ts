import type { Action, Event, Outcome } from '../history/events.ts';
import { type Answer, isAnswer } from '../site/client.ts';
import { arrivalOf } from '../site/hosts.ts';
import type { Site } from '../site/site.ts';
import { classify, type Family, type Hosts } from './family.ts';

export interface Asked {
  client: string;
  via: number;
  user: string;
  family: Family;
  key: string;
  action: Action;
}

/** Makes the calls and records their history. */
export class Recorder {
  readonly events: Event[] = [];
  /** Answers that no contract allows: a finding each. */
  readonly bugs: string[] = [];
  /** Failed tests by code, for the report. */
  readonly failedTests = new Map<string, number>();
  /** Calls that were answered with 200 and leave an entry in the audit trail: how many about each name. */
  readonly acknowledged = new Map<string, number>();
  readonly #site: Site;
  readonly #hosts: Hosts;

  constructor(site: Site, hosts: Hosts) {
    this.#site = site;
    this.#hosts = hosts;
  }

  /** The answer when it was a 200. `keys`: records of the family that a list tells about. */
  async make(asked: Asked, keys: readonly string[] = []): Promise<Answer | undefined> {
    const { family, action, user, via } = asked;
    const from = performance.now();
    const called = await this.#site.ml(via, user, family.call(action, this.#spelt(asked), this.#hosts));
    const to = performance.now();
    const add = (key: string, outcome: Outcome) => this.#add({ ...asked, key }, from, to, outcome);
    const result = classify(called);
    if (result.kind === 'unsent') return undefined;
    const answer = isAnswer(called) ? called : undefined;
    if (result.kind === 'bug') {
      if (action.kind === 'test' && answer && family.failedTest?.(answer)) add(asked.key, { kind: 'ok' });
      else this.#bug(asked, result.text);
      return undefined;
    }
    if (result.kind !== 'ok-answer') {
      if (action.kind !== 'list') add(asked.key, result);
      return undefined;
    }
    if (!answer) return undefined;
    if (action.kind !== 'list' && action.kind !== 'read') {
      const name = this.#keyOf(asked, answer).toLowerCase();
      this.acknowledged.set(name, (this.acknowledged.get(name) ?? 0) + 1);
    }
    if (action.kind === 'list') this.#list(asked, answer, keys, from, to);
    else add(this.#keyOf(asked, answer), this.#okOf(asked, answer));
    return answer;
  }

  #okOf({ family, action }: Asked, answer: Answer): Outcome {
    if (action.kind === 'delete') return { kind: 'ok' };
    if (action.kind !== 'test') {
      const observed = family.parseRecord(answer);
      return observed ? { kind: 'ok', observed: observed } : { kind: 'ok' };
    }
    if (answer.json.success === false) {
      const code = String(answer.json.error_code);
      this.failedTests.set(code, (this.failedTests.get(code) ?? 0) + 1);
      return { kind: 'unknown', because: code };
    }
    const arrival = arrivalOf(this.#hosts.hosts, family.met?.(answer));
    return arrival ? { kind: 'ok', met: { host: arrival.host, secret: arrival.secret } } : { kind: 'ok' };
  }

  #list(asked: Asked, answer: Answer, keys: readonly string[], from: number, to: number): void {
    const states = asked.family.parseList(answer);
    for (const key of keys) {
      const observed = states.get(key);
      const outcome: Outcome = observed
        ? { kind: 'ok', observed: observed }
        : { kind: 'fail', refusal: { why: 'missing' } };
      this.#add({ ...asked, key }, from, to, outcome);
    }
  }

  #add({ client, via, user, family, key, action }: Asked, from: number, to: number, outcome: Outcome): void {
    if (key === '') return;
    const end = outcome.kind === 'unknown' ? Number.POSITIVE_INFINITY : to;
    const id = this.events.length;
    this.events.push({ id, client, via, user, family: family.name, key, action, outcome, from, to: end });
  }

  /** A name means the same in capitals. */
  #spelt({ family, key, action }: Asked): string {
    if (family.writes === 'post-with-id') return key;
    return action.kind === 'create' || action.kind === 'save' ? key.toUpperCase() : key;
  }

  #keyOf({ family, key, action }: Asked, answer: Answer): string {
    const isNew = family.writes === 'post-with-id' && action.kind === 'create';
    return isNew ? String(answer.json.experiment_id) : key;
  }

  #bug({ family, key, action, user }: Asked, text: string): void {
    const line = `${user} ${action.kind} ${family.name}/${key}: ${text}`;
    if (this.bugs.length < 50) this.bugs.push(line);
  }
}
