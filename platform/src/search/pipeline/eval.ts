import { newRow, type Row, type Stage } from '../results/rows.ts';
import { FUNCTIONS, number, text, type Value } from './evalFunctions.ts';
import type { SearchPart } from './spl.ts';
import { ArgumentError } from './spl.ts';

type Expression = (row: Row) => Value;

const TOKEN = /\s*(?:("(?:[^"\\]|\\.)*")|('[^']*')|(\d+(?:\.\d+)?)|([A-Za-z_]\w*)|(<=|>=|==|!=|[-+*/%.(),=<>]))/y;

const arithmetic = (operate: (a: number, b: number) => number) => (a: Value, b: Value) => {
  const [left, right] = [number(a), number(b)];
  const result = left === undefined || right === undefined ? Number.NaN : operate(left, right);
  return Number.isFinite(result) ? result : undefined;
};
const comparison = (isTrue: (order: number) => boolean) => (a: Value, b: Value) => {
  if (a === undefined || b === undefined) return undefined;
  const [left, right] = [number(a), number(b)];
  if (left !== undefined && right !== undefined) return isTrue(left - right);
  return isTrue(text(a) < text(b) ? -1 : text(a) > text(b) ? 1 : 0);
};
/** An empty value comes neither before nor after another. */
const ordering = (isTrue: (order: number) => boolean) => (a: Value, b: Value) =>
  a === '' || b === '' ? undefined : comparison(isTrue)(a, b);
const logic = (isTrue: (a: boolean, b: boolean) => boolean) => (a: Value, b: Value) => isTrue(a === true, b === true);
const equal = comparison((order) => order === 0);

type Operator = (a: Value, b: Value) => Value;
/** The level of comparisons among the operators: NOT applies to one of them. */
const NEGATED = 3;
/** From lowest to highest precedence. */
const OPERATORS: readonly Readonly<Record<string, Operator>>[] = [
  { OR: logic((a, b) => a || b) },
  { XOR: logic((a, b) => a !== b) },
  { AND: logic((a, b) => a && b) },
  {
    LIKE: (a, b) => FUNCTIONS.like?.call(a, b),
    '=': equal,
    '==': equal,
    '!=': comparison((order) => order !== 0),
    '<': ordering((order) => order < 0),
    '<=': ordering((order) => order <= 0),
    '>': ordering((order) => order > 0),
    '>=': ordering((order) => order >= 0),
  },
  { '.': (a, b) => (a === undefined || b === undefined ? undefined : text(a) + text(b)) },
  {
    '+': (a, b) =>
      typeof a === 'string' && typeof b === 'string' && (number(a) === undefined || number(b) === undefined)
        ? a + b
        : arithmetic((left, right) => left + right)(a, b),
    '-': arithmetic((a, b) => a - b),
  },
  { '*': arithmetic((a, b) => a * b), '/': arithmetic((a, b) => a / b), '%': arithmetic((a, b) => a % b) },
];

type Source = Pick<SearchPart, 'name' | 'text'>;

class Parser {
  readonly #tokens: string[] = [];
  readonly #part: Source;
  #at = 0;

  constructor(part: Source) {
    this.#part = part;
    const source = part.text.trimEnd();
    TOKEN.lastIndex = 0;
    for (let position = 0; position < source.length; position = TOKEN.lastIndex) {
      const match = TOKEN.exec(source);
      if (match === null) throw this.#malformed(source.slice(position));
      this.#tokens.push(match[0].trim());
    }
  }

  /** `field=expression`, separated by commas. */
  assignments(): [string, Expression][] {
    const assignments: [string, Expression][] = [];
    do {
      const name = this.#next().replace(/^'(.*)'$|^"(.*)"$/, '$1$2');
      if (name === '' || this.#next() !== '=') throw this.#malformed(this.#part.text);
      assignments.push([name, this.#expression(0)]);
    } while (this.#take(','));
    if (this.#at < this.#tokens.length) throw this.#malformed(this.#tokens.slice(this.#at).join(' '));
    return assignments;
  }

  /** One expression and nothing after it. */
  condition(): Expression {
    const expression = this.#expression(0);
    if (this.#at < this.#tokens.length) throw this.#malformed(this.#tokens.slice(this.#at).join(' '));
    return expression;
  }

  #expression(level: number): Expression {
    const operators = OPERATORS[level];
    if (operators === undefined) return this.#operand();
    let left = this.#expression(level + 1);
    const next = () => operators[this.#peek().toUpperCase()];
    for (let operate = next(); operate !== undefined; operate = next()) {
      this.#at += 1;
      const [a, b, apply] = [left, this.#expression(level + 1), operate];
      left = (row) => apply(a(row), b(row));
    }
    return left;
  }

  #operand(): Expression {
    const token = this.#next();
    if (token.toUpperCase() === 'NOT') {
      const operand = this.#expression(NEGATED);
      return (row) => {
        const value = operand(row);
        return typeof value === 'boolean' ? !value : undefined;
      };
    }
    if (token === '(') {
      const inner = this.#expression(0);
      if (!this.#take(')')) throw this.#malformed(this.#part.text);
      return inner;
    }
    if (token === '-') {
      const operand = this.#operand();
      return (row) => arithmetic((a, b) => a - b)(0, operand(row));
    }
    if (token.startsWith('"')) {
      const value = token.slice(1, -1).replace(/\\(["\\])/g, '$1');
      return () => value;
    }
    if (/^\d/.test(token)) return () => Number(token);
    if (!/^['A-Za-z_]/.test(token)) throw this.#malformed(token);
    if (this.#take('(')) return this.#call(token);
    const name = token.replace(/^'(.*)'$/s, '$1');
    const field: Expression = (row) => row[name];
    return this.#peek().toUpperCase() === 'IN' ? this.#membership(field) : field;
  }

  /** `field IN (a, b)` */
  #membership(field: Expression): Expression {
    this.#at += 1;
    if (!this.#take('(')) throw this.#malformed(this.#part.text);
    const values = this.#list();
    return (row) => {
      const value = field(row);
      return value === undefined ? undefined : values.some((other) => equal(value, other(row)) === true);
    };
  }

  /** Expressions up to the closing parenthesis. */
  #list(): Expression[] {
    const values: Expression[] = [];
    if (this.#take(')')) return values;
    do values.push(this.#expression(0));
    while (this.#take(','));
    if (!this.#take(')')) throw this.#malformed(this.#part.text);
    return values;
  }

  #call(name: string): Expression {
    const definition = Object.hasOwn(FUNCTIONS, name.toLowerCase()) ? FUNCTIONS[name.toLowerCase()] : undefined;
    if (definition === undefined) throw this.#refused(`The '${name}' function is unsupported or undefined.`);
    const values = this.#list();
    const [least, most] = definition.arity;
    if (values.length < least || values.length > most)
      throw this.#refused(`The arguments to the '${name}' function are invalid.`);
    return (row) => definition.call(...values.map((value) => value(row)));
  }

  #peek(): string {
    return this.#tokens[this.#at] ?? '';
  }

  #next(): string {
    const token = this.#tokens[this.#at];
    if (token === undefined) throw this.#malformed(this.#part.text);
    this.#at += 1;
    return token;
  }

  #take(token: string): boolean {
    if (this.#peek() !== token) return false;
    this.#at += 1;
    return true;
  }

  #malformed(where: string): ArgumentError {
    return this.#refused(`The expression is malformed: '${where.trim()}'.`);
  }

  #refused(text: string): ArgumentError {
    return new ArgumentError(`Error in '${this.#part.name}' command: ${text}`);
  }
}

/** Parses one expression, as in `stats count(eval(x > 1))`. @param command names the command in refusals */
export function evalExpression(command: string, expression: string): Expression {
  return new Parser({ name: command, text: expression }).condition();
}

export const isTrue = (value: Value): boolean => value === true;

/** `eval field=expression, …`: literals, fields, arithmetic, `.`, comparisons and a few functions. */
export function evalStage(part: SearchPart): Stage {
  const assignments = new Parser(part).assignments();
  return {
    push: ({ columns, rows }) => ({
      columns: [...new Set([...columns, ...assignments.map(([name]) => name)])],
      rows: rows.map((row) => {
        const changed = Object.assign(newRow(), row);
        for (const [name, expression] of assignments) {
          const value = expression(changed);
          if (value === undefined) delete changed[name];
          else changed[name] = Array.isArray(value) ? value : text(value);
        }
        return changed;
      }),
    }),
  };
}

/** `where expression`: keeps the rows for which it is true. */
export function whereStage(part: SearchPart): Stage {
  const condition = new Parser(part).condition();
  return { push: ({ columns, rows }) => ({ columns, rows: rows.filter((row) => condition(row) === true) }) };
}
