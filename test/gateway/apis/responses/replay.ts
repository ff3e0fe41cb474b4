import { expect } from 'chai';
import type { Json } from '../../../../src/contract/basics.ts';
import type { StreamEvent } from './answers.ts';

/** Puts an output together from the events of a stream as clients do, and fails where they would. */
class Replay {
  readonly output: Json[] = [];
  private item: Json | undefined;
  private part: Json | undefined;

  take({ type, ...event }: StreamEvent): void {
    const kind = type.replace('response.', '');
    if (kind === 'output_item.added') this.open(event);
    else if (kind === 'output_item.done') this.close(event);
    else this.grow(kind, event);
  }

  private open({ output_index, item }: Json): void {
    expect(this.item, 'an item is open').to.equal(undefined);
    expect(output_index).to.equal(this.output.length);
    this.item = structuredClone(item) as Json;
    expect(this.item.status).to.equal('in_progress');
  }

  private close({ item: ended }: Json): void {
    const [item, { status }] = [this.opened(), ended as Json];
    expect(this.part, 'a part is open').to.equal(undefined);
    expect({ ...item, status }).to.deep.equal(ended);
    this.output.push({ ...item, status });
    this.item = undefined;
  }

  private opened(): Json {
    if (!this.item) throw new Error('no item is open');
    return this.item;
  }

  private grow(kind: string, event: Json): void {
    const item = this.opened();
    expect(event).to.include({ item_id: item.id, output_index: this.output.length });
    const [name = '', step] = kind.split('.');
    if (name === 'content_part' || name === 'reasoning_summary_part') this.parted(item, name, step, event);
    else this.texted(item, name, step, event);
  }

  private parted(item: Json, name: string, step: string | undefined, event: Json): void {
    const isContent = name === 'content_part';
    const parts = (isContent ? item.content : item.summary) as Json[];
    if (step === 'added') {
      expect(isContent ? event.content_index : event.summary_index).to.equal(parts.length);
      this.part = structuredClone(event.part) as Json;
      return;
    }
    expect(event.part).to.deep.equal(this.part);
    parts.push(event.part as Json);
    this.part = undefined;
  }

  /** The member that a text grows in, of the part or of the item itself. */
  private texted(item: Json, name: string, step: string | undefined, event: Json): void {
    const members: Record<string, [Json | undefined, string]> = {
      output_text: [this.part, 'text'],
      refusal: [this.part, 'refusal'],
      reasoning_summary_text: [this.part, 'text'],
      function_call_arguments: [item, 'arguments'],
      custom_tool_call_input: [item, 'input'],
    };
    const [target, member] = members[name] ?? [];
    if (!target || !member) throw new Error(`${name} has no place`);
    if (step === 'delta') target[member] = `${target[member]}${event.delta}`;
    else expect(event[member]).to.equal(target[member]);
  }
}

export function replayed(events: readonly StreamEvent[]): { last: Json; output: Json[] } {
  expect(events.map(({ sequence_number }) => sequence_number)).to.deep.equal([...events.keys()]);
  const [created, begun, ...others] = events;
  const end = others.pop();
  const last = end?.response as Json;
  expect([created?.type, begun?.type]).to.deep.equal(['response.created', 'response.in_progress']);
  expect(end?.type).to.equal(`response.${last.status}`);
  for (const event of [created, begun]) {
    const response = event?.response as Json;
    expect(response).to.deep.include({ id: last.id, status: 'in_progress', output: [], usage: null });
  }
  const replay = new Replay();
  for (const event of others) replay.take(event);
  return { last, output: replay.output };
}
