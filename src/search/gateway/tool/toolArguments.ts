import { isObject, type Json } from '../../../contract/basics.ts';
import { parseExact } from '../../../contract/exactJson.ts';
import { parseTemplate, type Template } from '../../../domain/values/template.ts';
import { SearchError } from '../../command.ts';
import type { ToolSchema } from './toolSchema.ts';

/** `{field}`: a value of the row is the whole object. */
const WHOLE = /^\s*\{[A-Za-z_][\w.:]*\}\s*$/;

/** The arguments of a tool as a search writes them, with `{field}` in their texts. */
export class ToolArguments {
  readonly templates: readonly Template[];
  readonly #values: ReadonlyMap<string, unknown>;
  /** Whether the first template is the object. */
  readonly #isWhole: boolean;

  /**
   * @param json the option `arguments`: an object whose texts are templates, or `{field}` @param named arguments by name; they win over
   * those of `json`
   * @throws SearchError
   */
  constructor(json: string | undefined, named: ReadonlyMap<string, string>) {
    this.#isWhole = json !== undefined && WHOLE.test(json);
    const given = this.#isWhole ? {} : parseObject(json);
    this.#values = new Map<string, unknown>([...Object.entries(given), ...named]);
    const texts = [...this.#values.values()].flatMap((value) => textsOf(value));
    this.templates = (this.#isWhole ? [String(json).trim(), ...texts] : texts).map(parseTemplate);
  }

  /** Names that the search gives; those of an object in a field are not known. */
  get names(): string[] {
    return [...this.#values.keys()];
  }

  /**
   * @param texts the filled templates, in their order @param schema gives texts their types
   * @returns a text that is no object as it is: the gateway refuses it for its row
   */
  fill(texts: readonly string[], schema: ToolSchema | undefined): unknown {
    const remaining = [...texts];
    const whole = this.#isWhole ? objectIn(remaining.shift() as string) : {};
    if (!isObject(whole)) return whole;
    const named = Object.fromEntries([...this.#values].map(([name, value]) => [name, withTexts(value, remaining)]));
    const filled = { ...whole, ...named };
    return schema ? schema.convert(filled) : filled;
  }
}

function objectIn(text: string): unknown {
  try {
    const value = parseExact(text);
    return isObject(value) ? value : text;
  } catch {
    return text;
  }
}

function parseObject(json: string | undefined): Json {
  if (json === undefined) return {};
  let value: unknown;
  try {
    value = parseExact(json);
  } catch {
    throw new SearchError(
      'arguments must be a JSON object; write values of a row as texts: arguments="{\\"limit\\": \\"{count}\\"}"',
    );
  }
  if (!isObject(value)) throw new SearchError('arguments must be a JSON object, such as {"limit": 5}');
  return value;
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

/** @param texts those of the value come first; they are removed */
function withTexts(value: unknown, texts: string[]): unknown {
  if (typeof value === 'string') return texts.shift();
  if (Array.isArray(value)) return value.map((entry) => withTexts(entry, texts));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, withTexts(entry, texts)]));
}
