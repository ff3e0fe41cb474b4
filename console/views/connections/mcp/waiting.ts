import type { Reply } from '../../../../client/src/index.ts';
import { withVisibleCharacters } from '../../../parts/text/visible.ts';

export type Tool = Reply<'listMcpTools'>['data']['tools'][number];
export type Definition = Pick<Partial<Tool>, 'description' | 'input_schema' | 'output_schema' | 'annotations'>;

export const isWaiting = ({ accepted }: Tool): boolean => accepted === false;

export const mayBeAccepted = ({ flags = [] }: Tool): boolean => !flags.includes('too_large');

/** The parts of a definition, each as lines that can be compared whatever the order of keys. */
export function textsOf({
  description = '',
  input_schema,
  output_schema,
  annotations,
}: Definition): [string, string][] {
  const json = (value: unknown) => (value === undefined ? '' : JSON.stringify(sorted(value), null, 2));
  const texts: [string, string][] = [
    ['Description', description],
    ['Input schema', json(input_schema)],
    ['Output schema', json(output_schema)],
    ['Annotations', json(annotations)],
  ];
  return texts.map(([label, text]) => [label, withVisibleCharacters(text)]);
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner)]));
}

/** The tools after an acceptance, without asking the server again. */
export function afterAcceptance(tools: readonly Tool[], accepted: readonly string[]): Tool[] {
  const names = new Set(accepted);
  return tools.map((tool) => {
    if (!names.has(tool.name) || tool.accepted === true) return tool;
    const { change: _change, ...acceptedTool } = tool;
    return { ...acceptedTool, accepted: true };
  });
}
