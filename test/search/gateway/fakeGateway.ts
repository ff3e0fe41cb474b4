import { expect } from 'chai';
import type { Clock } from '../../../src/ports/platform/clock.ts';
import type { ApiAnswer, BatchRequest, GatewayApi } from '../../../src/ports/platform/ownApi.ts';
import { planOf } from '../../../src/search/arguments.ts';
import {
  type Arguments,
  type Command,
  type Output,
  type RowTransform,
  SearchError,
} from '../../../src/search/command.ts';
import { CsvTable } from '../../../src/search/csvTable.ts';
import { type Row, writeRows } from '../../../src/search/rows.ts';
import { ManualClock } from '../../support/memory/clock.ts';

type Json = Record<string, unknown>;
export type Item = BatchRequest['items'][number] & { messages?: { role: string; content: string }[]; input?: string };

export const chatAnswer = (content: string, more: Json = {}): Json => ({
  status: 'done',
  response: {
    object: 'chat.completion',
    model: 'default',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
    ml: { service: 'Fast_Inference', connection_name: 'team', model: 'small', ...more },
  },
});

export const failed = (error_code: string, more: Json = {}): Json => ({
  status: 'failed',
  error_code,
  message: `about ${error_code}`,
  should_retry: false,
  ...more,
});

export const promptOf = ({ messages = [], input = '' }: Item): string => messages.at(-1)?.content ?? input;

/** The gateway as the contract describes it: answers each item as the test says, and counts. */
export class FakeGateway implements GatewayApi {
  readonly requests: BatchRequest[] = [];
  /** Prompts that a model saw, in order. */
  readonly asked: string[] = [];
  mostAtOnce = 0;
  #underWay = 0;
  readonly clock = new ManualClock();
  /** Further fields of a dry run. */
  estimate: Record<string, unknown> = {};
  answer: (item: Item, request: BatchRequest) => Json = (item) => chatAnswer(`re: ${promptOf(item)}`);
  /** Refuses the batch if it returns something. */
  refuse: (count: number) => ApiAnswer | Error | undefined = () => undefined;
  durationMs = 0;
  costOfCall: number | undefined;

  tools: GatewayApi['tools'] = () => Promise.reject(new Error('not asked for'));
  indexDocuments: GatewayApi['indexDocuments'] = () => Promise.reject(new Error('not asked for'));
  deleteDocuments: GatewayApi['deleteDocuments'] = () => Promise.reject(new Error('not asked for'));

  async batch(request: BatchRequest): Promise<ApiAnswer> {
    this.requests.push(structuredClone(request));
    const refusal = this.refuse(this.requests.length);
    if (refusal instanceof Error) throw refusal;
    if (refusal) return refusal;
    const { parallel, begin_within_s, dry_run } = request;
    const result: Json[] = [];
    let cost = 0;
    const items = request.items as readonly Item[];
    for (let at = 0; at < items.length; at += parallel) {
      const round = items.slice(at, at + parallel);
      if (at > 0 && (at / parallel) * this.durationMs > begin_within_s * 1000) {
        result.push(...round.map(({ id }) => ({ id, status: 'not_reached' })));
        continue;
      }
      this.#underWay += round.length;
      this.mostAtOnce = Math.max(this.mostAtOnce, this.#underWay);
      await (this.durationMs > 0 ? this.clock.sleep(this.durationMs) : new Promise(setImmediate));
      this.#underWay -= round.length;
      for (const item of round) {
        if (!dry_run) this.asked.push(promptOf(item));
        const dry = {
          model: 'team/small',
          prompt: 'theirs',
          tokens_estimated: 7,
          cost_estimated: this.costOfCall,
          ...this.estimate,
        };
        const answer = dry_run ? { status: 'done', response: dry } : this.answer(item, request);
        if (answer.status === 'done' && !dry_run) cost += this.costOfCall ?? 0;
        result.push({ id: item.id, ...answer });
      }
    }
    return { status: 200, body: { status: 'success', result, usage: { total_tokens: 0, cost } } };
  }
}

const INFO = { sessionKey: 'key', serverUri: 'https://127.0.0.1:8089', sid: '', maxRows: 50_000 };

/** A chunk as the platform sends it. */
export function tableOf(rows: readonly Row[]): CsvTable {
  return new CsvTable(writeRows([...new Set(rows.flatMap((row) => Object.keys(row)))], rows));
}

/** Runs a command over chunks of rows. */
export async function runCommand<A extends Arguments>(
  command: Command<A, RowTransform>,
  args: string,
  chunks: readonly (readonly Row[])[],
  gateway: GatewayApi & { clock: Clock },
  signal: AbortSignal = new AbortController().signal,
): Promise<{ rows: readonly Row[]; outputs: Output[]; warnings: string[] }> {
  const unused = async () => {
    throw new Error('not asked for');
  };
  const parts = {
    agents: unused,
    health: unused,
    usage: unused,
    catalogue: unused,
    gateway: async () => gateway,
    models: unused,
    runs: unused,
    clock: gateway.clock,
  };
  const step = planOf(command, args).start(INFO, parts);
  const outputs: Output[] = [];
  for (const [index, rows] of chunks.entries()) {
    outputs.push((await step.next(tableOf(rows), { isLast: index === chunks.length - 1, signal })) as Output);
  }
  const warnings = outputs.flatMap(({ messages = [] }) => messages.map(([level, text]) => `${level} ${text}`));
  return { rows: outputs.flatMap(({ rows }) => rows), outputs, warnings };
}

/** The message with which a search ends. */
export async function searchErrorOf(run: Promise<unknown>): Promise<string> {
  const thrown = await run.then(
    () => expect.fail('no error'),
    (reason: unknown) => reason,
  );
  expect(thrown).to.be.instanceOf(SearchError);
  return (thrown as Error).message;
}
