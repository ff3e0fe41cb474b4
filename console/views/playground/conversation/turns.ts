import type { Reply } from '../../../../client/src/index.ts';
import { createStore } from '../../../api/store.ts';
import { keep, keyOf, readKept } from '../../../parts/form/draft/storage.ts';
import type { Settings } from './settings.ts';

export type Run = Reply<'getRun'>['config'];
export type Completion = Reply<'createChatCompletion'>;

/** A question with its answer or failure. */
export interface Turn {
  id: number;
  question: string;
  model: string;
  /** Set for an answer that may use tools. */
  run?: Run;
  /** Set for an answer without a run. */
  completion?: Completion;
  /** Steps that were decided about while others still wait. */
  decided?: readonly number[];
  failure?: unknown;
  /** Whether the user has ended it before it was answered. */
  isStopped?: true;
}

export interface Conversation {
  /** System message, before all others. */
  system: string;
  /** Runs of one session know each other's questions and answers. */
  session: string;
  turns: readonly Turn[];
  /** Settings of the last question, since the address of another tab lacks them. */
  settings?: Settings;
  /** The turn that is being worked on. */
  live?: number;
}

const BYTES = 16;

/** `crypto.randomUUID` needs HTTPS. */
const newSession = (): string =>
  `playground-${[...crypto.getRandomValues(new Uint8Array(BYTES))].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;

const empty = (system = ''): Conversation => ({ system, session: newSession(), turns: [] });

const INSTRUCTIONS = keyOf('playground instructions');

let now = empty(readKept(INSTRUCTIONS));
const store = createStore(now);

/** The conversation of this page. It is in memory alone: the storage of the tab has only what was typed and not sent. */
export const useConversation = store.use;
export const currentConversation = (): Conversation => now;

function set(next: Conversation): void {
  now = next;
  store.set(next);
}

export function setSystem(system: string): void {
  keep(INSTRUCTIONS, system);
  set({ ...now, system });
}
export const forget = (): void => set(empty(now.system));

/** @returns the id of the new turn, which is worked on from now on */
export function addTurn(question: string, settings: Settings): number {
  const id = now.turns.length;
  set({ ...now, turns: [...now.turns, { id, question, model: settings.model }], settings, live: id });
  return id;
}

/** Changes a turn, unless it belongs to a conversation that was forgotten. */
export function changeTurn(session: string, id: number, change: Partial<Turn>): void {
  if (now.session !== session) return;
  set({ ...now, turns: now.turns.map((turn) => (turn.id === id ? { ...turn, ...change } : turn)) });
}

export function setLive(session: string, live: number | undefined): void {
  if (now.session === session) set({ ...now, live });
}

/** The turn whose run waits for a decision. */
export const waitingIn = (turns: readonly Turn[]): Turn | undefined =>
  turns.find(({ run, isStopped }) => run?.state === 'waiting_for_approval' && !isStopped);

/** The answer as text; undefined if there is none. */
export function answerOf({ run, completion }: Turn): string | undefined {
  if (run) return typeof run.output === 'object' ? JSON.stringify(run.output) : run.output;
  const [choice] = completion?.choices ?? [];
  const { content } = (choice?.message ?? {}) as { content?: unknown };
  return typeof content === 'string' ? content : undefined;
}
