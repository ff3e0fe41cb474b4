import type { Problem } from '../../../contract/codes/faults.ts';
import type { ChatMessage, ChatPart, ReturnedReasoning, ToolCall } from '../../../families/llm-providers/public.ts';

type ToolMessage = Extract<ChatMessage, { role: 'tool' }>;

/** A turn of the model, with the outputs of its calls wherever they stand in the request. */
interface Turn {
  texts: string[];
  calls: ToolCall[];
  returned: ReturnedReasoning[];
  results: ToolMessage[];
}

interface OpenCall {
  turn: Turn;
  field: string;
  isAnswered: boolean;
}

const isTurn = (entry: ChatMessage | Turn): entry is Turn => 'texts' in entry;

/** Makes messages of items: a turn of the model is several of them. */
export class Turns {
  private readonly entries: (ChatMessage | Turn)[] = [];
  /** By id: the last one that has it, since some providers begin anew in each turn. */
  private readonly calls = new Map<string, OpenCall>();
  private current: Turn | undefined;
  private readonly problems: Problem[];

  constructor(problems: Problem[]) {
    this.problems = problems;
  }

  /** A message of somebody else ends the turn. */
  add(message: ChatMessage): void {
    this.current = undefined;
    this.entries.push(message);
  }

  /** Text after a call is of the same turn, since the output has to follow the call. */
  say(text: string): void {
    if (text === '') return;
    const turn = this.hasOnlyText() ? this.begin() : this.turn();
    turn.texts.push(text);
  }

  call(call: ToolCall, field: string): void {
    const turn = this.turn();
    if (this.calls.get(call.id)?.isAnswered === false) {
      this.problems.push({
        field: `${field}.call_id`,
        message: 'must not be the id of another call without an output',
      });
    }
    turn.calls.push(call);
    this.calls.set(call.id, { turn, field, isAnswered: false });
  }

  answer(toolCallId: string, result: { content: string; parts?: ChatPart[] }, field: string): void {
    this.current = undefined;
    const call = this.calls.get(toolCallId);
    if (!call) this.problems.push({ field: `${field}.call_id`, message: 'must be the id of an earlier call' });
    else if (call.isAnswered) {
      this.problems.push({ field: `${field}.call_id`, message: 'must be the id of a call without an output' });
    } else {
      call.isAnswered = true;
      call.turn.results.push({ role: 'tool', toolCallId, ...result });
    }
  }

  /** Reasoning comes first in an answer, so that of a second answer in a row begins another turn. */
  think(reasoning: ReturnedReasoning): void {
    const turn = this.hasOnlyText() ? this.begin() : this.turn();
    turn.returned.push(reasoning);
  }

  /** Adds a problem for each call without an output. */
  messages(): ChatMessage[] {
    for (const { field, isAnswered } of this.calls.values()) {
      if (!isAnswered)
        this.problems.push({ field: `${field}.call_id`, message: 'must have an output in a later item' });
    }
    return this.entries.flatMap((entry) => (isTurn(entry) ? messagesOf(entry) : [entry]));
  }

  private hasOnlyText(): boolean {
    const turn = this.current;
    return turn !== undefined && turn.texts.length > 0 && turn.calls.length === 0;
  }

  private turn(): Turn {
    return this.current ?? this.begin();
  }

  private begin(): Turn {
    const turn: Turn = { texts: [], calls: [], returned: [], results: [] };
    this.current = turn;
    this.entries.push(turn);
    return turn;
  }
}

/** Reasoning alone is left out: providers refuse a turn that says nothing. */
function messagesOf({ texts, calls, returned, results }: Turn): ChatMessage[] {
  if (texts.length === 0 && calls.length === 0) return [];
  const answer: ChatMessage = {
    role: 'assistant',
    content: texts.join('\n'),
    ...(calls.length > 0 ? { toolCalls: calls } : {}),
    ...(returned.length > 0 ? { returned } : {}),
  };
  return [answer, ...results];
}
