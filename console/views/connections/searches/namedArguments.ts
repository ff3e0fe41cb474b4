export interface Argument {
  name?: string;
  type?: string;
  is_required?: boolean;
}

/** A new argument, as the app would complete it. */
const NEW = { type: 'string', is_required: true } as const;

/** Names between dollar signs, in the order in which they stand in a search. */
const argumentNames = (search: string): string[] => [
  ...new Set([...search.replaceAll('$$', '').matchAll(/\$([A-Za-z_]\w*)\$/g)].map(([, name = '']) => name)),
];

/** The arguments with those that the search names, without untouched ones that it names no longer. */
export function withNamed(args: readonly Argument[], search: string): Argument[] {
  const names = argumentNames(search);
  const isUntouched = ({ name, type, is_required, ...more }: Argument) =>
    type === NEW.type && is_required === NEW.is_required && Object.keys(more).length === 0;
  const kept = args.filter((argument) => names.includes(argument.name ?? '') || !isUntouched(argument));
  const missing = names.filter((name) => !args.some((argument) => argument.name === name));
  return [...kept, ...missing.map((name) => ({ name, ...NEW }))];
}
