import { parseExact, stringifyExact } from '../../contract/exactJson.ts';
import { excerpt } from '../arguments.ts';
import { type Argument, SearchError } from '../command.ts';
import type { Cell } from '../rows.ts';

/** The object that a model has to answer with. */
export interface AnswerSchema {
  /** Fields of rows; the keys of the object have the same names. */
  fields: readonly string[];
  jsonSchema: Readonly<Record<string, unknown>>;
}

const SYNTAX = 'name, name:number, name:boolean, name:list or name:enum(a|b), separated by commas';
const NAME = /^[A-Za-z][\w.]{0,63}$/;
const CHOICES = /^enum *\(([^()]*)\)$/;
const MAX_FIELDS = 100;

export const answerSchema = (help: string): Argument<AnswerSchema> => ({
  syntax: '<fields>',
  help,
  read(input, option) {
    const properties = new Map<string, object>();
    for (const entry of input.split(',')) {
      const [name = '', ...words] = entry.split(':').map((part) => part.trim());
      const type = typeOf(words);
      if (!NAME.test(name) || properties.has(name) || type === undefined)
        throw new SearchError(`${option} cannot be read at "${excerpt(entry.trim())}": write ${SYNTAX}`);
      properties.set(name, type);
    }
    if (properties.size > MAX_FIELDS) throw new SearchError(`${option} has more than ${MAX_FIELDS} fields`);
    const fields = [...properties.keys()];
    const object = { type: 'object', required: fields, additionalProperties: false };
    return { fields, jsonSchema: { ...object, properties: Object.fromEntries(properties) } };
  },
});

/** @param words what follows the name, split at colons; a choice may contain one */
function typeOf(words: readonly string[]): object | undefined {
  if (words.length === 0) return { type: 'string' };
  const type = words.join(':');
  if (type === 'number' || type === 'boolean') return { type };
  if (type === 'list') return { type: 'array', items: { type: 'string' } };
  const choices = CHOICES.exec(type)?.[1]
    ?.split('|')
    .map((value) => value.trim()) ?? [''];
  return choices.includes('') || new Set(choices).size < choices.length ? undefined : { type: 'string', enum: choices };
}

/** The fields of a row from a model's answer; undefined if the answer is not a JSON object. */
export function parseAnswer({ fields }: AnswerSchema, answer: string): Record<string, Cell> | undefined {
  let value: unknown;
  try {
    value = parseExact(answer);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const object = value as Record<string, unknown>;
  return Object.fromEntries(fields.map((field) => [field, cellOfJson(object[field])]));
}

/** A value of JSON as a cell: a list is a multivalue field, an object its JSON. */
export const cellOfJson = (value: unknown): Cell => (Array.isArray(value) ? value.map(plain) : plain(value));

const plain = (value: unknown): string => {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? stringifyExact(value) : String(value);
};
