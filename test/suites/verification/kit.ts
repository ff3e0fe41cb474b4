import { expect } from 'chai';
import { remedyOf } from '../../../src/contract/codes/codes.ts';
import type { KeyedPeer } from '../../support/peers/keyed.ts';
import { expectCode, summarize } from '../../support/replies.ts';
import type { Answer, World } from '../../support/worlds/world.ts';
import { keyOf, type VerifiedFamily } from './families.ts';

export const [OLD, NEW, THEIRS, BAD] = [keyOf('old'), keyOf('new'), keyOf('theirs'), keyOf('bad')] as const;
export const ALL_KEYS = [OLD, NEW, THEIRS, BAD];
export const VERIFY = '?verify=true';

/** The servers that are called. They are there when a test runs. */
export interface Servers {
  peer: KeyedPeer;
  /** Another one, which no key of the first may be sent to. */
  other: KeyedPeer;
}

/** Calls of the tests of one family; by default the user is anna, with verification. */
export class VerificationKit {
  readonly family: VerifiedFamily;
  readonly world: World;
  readonly servers: Servers;
  /** References to secrets, without those left by earlier tests. */
  readonly secretRefs: () => Promise<string[]>;
  #names = 0;

  constructor(family: VerifiedFamily, world: World, servers: Servers, secretRefs: () => Promise<string[]>) {
    this.family = family;
    this.world = world;
    this.servers = servers;
    this.secretRefs = secretRefs;
  }

  fresh = (): string => {
    this.#names += 1;
    return `verified_${this.#names}`;
  };

  post = (body: object, query = VERIFY, user = 'anna') =>
    this.world.call(user, 'POST', `${this.family.path}${query}`, body);

  change = (body: object, query = VERIFY, user = 'anna', headers: Record<string, string> = {}) =>
    this.world.call(user, this.family.update, `${this.family.path}${query}`, body, headers);

  completeBody = (name: string, key: string) => this.family.completeBody(this.servers.peer, name, key);
  rotation = (name: string, key: string) => this.family.rotation(this.servers.peer, name, key);
  get = async (name: string) => (await this.world.call('anna', 'GET', this.family.one(name))).json.config;
  remove = (name: string) => this.world.call('anna', 'DELETE', this.family.one(name));

  keyOfRecord = async (name: string) =>
    (await this.world.secretsOf(this.family.collection, name))?.[this.family.secret];

  /** All that is stored of the family. */
  state = async () => [
    await this.world.records(this.family.collection),
    await this.secretRefs(),
    await this.world.records('ml_journal'),
  ];

  /** A verified record with the old key. */
  made = async (more: object = {}): Promise<string> => {
    const name = this.fresh();
    expectOk(await this.post({ ...this.completeBody(name, OLD), ...more }));
    await this.world.later();
    this.servers.peer.asked.length = 0;
    return name;
  };

  /** Expects a refusal before anything is written or called. */
  refusedBeforehand = async (call: () => Promise<Answer>, status: number, code: string): Promise<Answer> => {
    const { peer, other } = this.servers;
    const before = await this.state();
    const reply = await call();
    expectRefused(reply, status, code);
    expect([peer.asked, other.asked], `${code}: nobody was called`).to.deep.equal([[], []]);
    expect(await this.state(), code).to.deep.equal(before);
    return reply;
  };
}

function expectNoKey({ json }: Answer): void {
  for (const key of ALL_KEYS) expect(JSON.stringify(json)).to.not.contain(key);
}

export function expectOk(reply: Answer): void {
  expect(reply.status, summarize(reply)).to.equal(200);
  expectNoKey(reply);
}

export function expectRefused(reply: Answer, status: number, code: string): void {
  expectCode(reply, status, code);
  expectNoKey(reply);
}

export function expectUnverified(reply: Answer, cause = 'auth_failed'): void {
  expectRefused(reply, 409, 'verification_refused');
  expect(reply.json).to.include({ cause, remedy: remedyOf('verification_refused') });
  expect(reply.json.message).to.match(/^Nothing was saved, because the test failed: .{10,}/);
}
