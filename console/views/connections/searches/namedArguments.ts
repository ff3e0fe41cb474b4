export interface Argument {
  name?: string;
  type?: string;
}

/** Names between dollar signs, in the order in which they stand in a search. */
const argumentNames = (search: string): string[] => [
  ...new Set([...search.replaceAll('$$', '').matchAll(/\$([A-Za-z_]\w*)\$/g)].map(([, name = '']) => name)),
];

/** The arguments with those that the search names, without untouched ones that it names no longer. */
export function withNamed(args: readonly Argument[], search: string): Argument[] {
  const names = argumentNames(search);
  const isUntouched = ({ name, type, ...more }: Argument) => type === 'string' && Object.keys(more).length === 0;
  const kept = args.filter((argument) => names.includes(argument.name ?? '') || !isUntouched(argument));
  const missing = names.filter((name) => !args.some((argument) => argument.name === name));
  return [...kept, ...missing.map((name) => ({ name, type: 'string' }))];
}
