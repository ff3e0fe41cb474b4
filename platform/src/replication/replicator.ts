import { setTimeout as sleep } from 'node:timers/promises';
import { memberRoute } from '../cluster/memberRoute.ts';
import type { Membership } from '../cluster/membership.ts';
import { type PeerClient, PeerGone } from '../cluster/peerClient.ts';
import { jsonReply } from '../eai/replies.ts';
import type { PlatformLog } from '../home/log.ts';
import { PlatformError } from '../http/reply.ts';
import type { Route } from '../http/route.ts';
import type { PasswordStore } from '../passwords/store.ts';
import { contentHash, ReplicatedFiles } from './files.ts';
import type { Change, Journal, Page } from './journal.ts';

export interface ReplicatorOptions {
  home: string;
  members: Membership;
  peers: PeerClient;
  passwords: PasswordStore;
  journal: Journal;
  log: PlatformLog;
}

/** Timeout of a poll, so that a stopped member does not block others for long. */
const PULL_TIMEOUT_MS = 5000;

const PRUNE_MS = 30_000;

/** Replicates changes between members by polling each other's journal. */
export class Replicator {
  readonly #options: ReplicatorOptions;
  readonly #files: ReplicatedFiles;
  readonly #end = new AbortController();
  #loops: Promise<void>[] = [];

  constructor(options: ReplicatorOptions) {
    this.#options = options;
    this.#files = new ReplicatedFiles(options.home, options.journal);
  }

  start(): void {
    const { members } = this.#options;
    this.#loops = [
      this.#every('files', async () => this.#scan()),
      this.#every('journal', async () => this.#options.journal.prune(), PRUNE_MS),
      ...members.others().map((member) => this.#every(`member ${member}`, () => this.#pull(member))),
    ];
  }

  async close(): Promise<void> {
    this.#end.abort();
    await Promise.all(this.#loops);
  }

  /** Endpoints for the other members. */
  routes(): Route[] {
    const { members, journal } = this.#options;
    return [
      memberRoute(members, 'GET', '/changes', (req) =>
        jsonReply(200, journal.after(req.arg('journal') ?? '', Number(req.arg('after')), members.plan.replicationMs)),
      ),
      memberRoute(members, 'GET', '/lookup', (req) => {
        const content = this.#files.readLookup(req.arg('path') ?? '');
        if (content === undefined) throw new PlatformError(404, 'Not Found');
        return { status: 200, body: content };
      }),
    ];
  }

  async #every(what: string, work: () => Promise<void>, pauseMs?: number): Promise<void> {
    const { signal } = this.#end;
    const pause = pauseMs ?? Math.min(Math.max(this.#options.members.plan.replicationMs / 5, 50), 400);
    let failing = '';
    while (!signal.aborted) {
      try {
        await work();
        failing = '';
      } catch (error) {
        const text = (error as Error).message;
        // Once for each reason, so that an absent member does not fill the log.
        if (text !== failing) this.#options.log.write('WARN', 'ConfReplication', `${what}: ${text}`);
        failing = text;
      }
      await sleep(pause, undefined, { signal }).catch(() => {});
    }
  }

  #scan(): void {
    this.#options.passwords.transaction(() => this.#files.scan());
  }

  async #pull(member: number): Promise<void> {
    const { journal, peers } = this.#options;
    for (let more = true; more && !this.#end.signal.aborted; ) {
      const cursor = journal.cursor(member);
      const query = `?journal=${cursor.journal}&after=${cursor.seq}&output_mode=json`;
      const page = JSON.parse((await this.#ask(peers, member, `/changes${query}`)).toString()) as Page;
      more = page.changes.length > 0;
      if (more) await this.#take(member, page);
    }
  }

  async #take(member: number, { journal: id, changes }: Page): Promise<void> {
    const { journal, passwords } = this.#options;
    const contents = new Map<Change, Buffer>();
    for (const change of changes) {
      if (change.kind !== 'lookup' || change.value === null || !journal.isNews(change, member)) continue;
      const content = await this.#lookup(member, change);
      if (content !== undefined) contents.set(change, content);
    }
    // No await from here on, so nothing else on this member changes in between.
    this.#scan();
    const news = changes.filter((change) => journal.isNews(change, member) && this.#complete(change, contents));
    passwords.transaction(() => {
      for (const change of news) if (change.kind !== 'password') journal.announce(change, member);
    });
    const written = news.filter((change) => this.#write(change, contents.get(change)));
    passwords.transaction(() => {
      for (const change of written) {
        if (change.kind === 'password') passwords.take(change.key, change.value);
        // A page may hold an object twice; only the last version counts.
        if (journal.isNews(change, member)) journal.settle(change, member);
      }
      journal.moveCursor(member, id, changes.at(-1)?.seq ?? 0);
    });
  }

  /** Skips a lookup that has changed again meanwhile; its newer version follows. */
  #complete(change: Change, contents: ReadonlyMap<Change, Buffer>): boolean {
    return change.kind !== 'lookup' || change.value === null || contents.has(change);
  }

  #write(change: Change, content: Buffer | undefined): boolean {
    try {
      if (change.kind === 'stanza') this.#files.writeStanza(change.key, change.value);
      else if (change.kind === 'lookup') this.#files.writeLookup(change.key, content ?? null);
      return true;
    } catch (error) {
      // One file that cannot be written must not block the entries after it.
      const text = `${change.kind} ${change.key} cannot be applied: ${(error as Error).message}`;
      this.#options.log.write('ERROR', 'ConfReplication', text);
      return false;
    }
  }

  async #lookup(member: number, change: Change): Promise<Buffer | undefined> {
    const path = `/lookup?path=${encodeURIComponent(change.key)}`;
    const reply = await this.#options.peers.request(member, 'GET', path, undefined, PULL_TIMEOUT_MS);
    if (reply.status === 404) return undefined;
    if (reply.status !== 200) throw new PeerGone(`member ${member} answered ${reply.status}`, true);
    return contentHash(reply.body) === change.value ? reply.body : undefined;
  }

  async #ask(peers: PeerClient, member: number, path: string): Promise<Buffer> {
    const reply = await peers.request(member, 'GET', path, undefined, PULL_TIMEOUT_MS);
    if (reply.status === 200) return reply.body;
    throw new PeerGone(`member ${member} answered ${reply.status}`, true);
  }
}
