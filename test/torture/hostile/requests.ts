import type { Random } from '../../support/random.ts';
import type { Call } from '../site/client.ts';
import { bytesOf, mutateBody } from './mutate.ts';
import { FromSchema, type Schema } from './schema.ts';
import { ODD_PARTS, oddValue } from './values.ts';

export interface Operation {
  method: string;
  path: string;
  // biome-ignore lint/suspicious/noExplicitAny: the document, looked into freely
  operation: any;
}

const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD'];
const QUERY_VALUES = [
  '0',
  '1',
  '-1',
  '30',
  '1e9',
  'NaN',
  '',
  'asc',
  'x'.repeat(2000),
  '%00',
  '%ff',
  'name',
  '__proto__',
];

/** One request after the other from the document: some right, most not. */
export class Requests {
  readonly #random: Random;
  readonly #operations: readonly Operation[];
  readonly #schema: FromSchema;

  constructor(
    random: Random,
    operations: readonly Operation[],
    schemas: Record<string, Schema>,
    urls: readonly string[],
  ) {
    this.#random = random;
    this.#operations = operations;
    this.#schema = new FromSchema(random, schemas, urls);
  }

  next(): Call {
    const random = this.#random;
    const { method, path, operation } = random.pick(this.#operations);
    const real = random.chance(0.05) ? random.pick(METHODS) : method;
    const call: Call = { method: real, path: this.#path(path.slice('/ml'.length)) + this.#query(operation) };
    const schema = operation.requestBody?.content?.['application/json']?.schema;
    if (schema && real !== 'GET' && real !== 'HEAD') {
      const body = this.#schema.value(schema);
      const isRight = random.chance(0.2);
      call.body = isRight ? Buffer.from(JSON.stringify(body)) : bytesOf(random, mutateBody(random, body));
    }
    call.headers = this.#headers();
    return call;
  }

  #path(template: string): string {
    const random = this.#random;
    return template.replaceAll(/\{[^}]+\}/g, () =>
      random.chance(0.4)
        ? random.pick(ODD_PARTS)
        : random.pick(['torture-1', 'torture_1', 'docker', 'General_Chat', 'nope']),
    );
  }

  #query(operation: Operation['operation']): string {
    const random = this.#random;
    const names = ((operation.parameters ?? []) as { in: string; name: string }[])
      .filter((parameter) => parameter.in === 'query' && random.chance(0.4))
      .map(({ name }) => name);
    if (random.chance(0.05)) names.push(random.pick(['__proto__', 'output_mode', 'x', '']));
    const pairs = names.map((name) => {
      const odd = oddValue(random);
      const value = random.chance(0.6) || typeof odd !== 'string' ? random.pick(QUERY_VALUES) : safe(odd);
      return `${name}=${value}`;
    });
    if (pairs.length > 0 && random.chance(0.05)) pairs.push(pairs[0] ?? '');
    return pairs.length > 0 ? `?${pairs.join('&')}` : '';
  }

  #headers(): Record<string, string> {
    const random = this.#random;
    if (!random.chance(0.1)) return {};
    return random.pick([
      { 'If-Match': random.pick(['1', '"1"', '*', 'x', '-1', '9'.repeat(400)]) },
      {
        'Content-Type': random.pick([
          'text/plain',
          'multipart/form-data; boundary=x',
          'application/xml',
          'x'.repeat(500),
        ]),
      },
      { 'Accept-Language': 'x'.repeat(2000) },
      { 'X-Forwarded-For': '169.254.169.254' },
    ]);
  }
}

/** Lone surrogates have no form in a URL. */
const safe = (text: string) => encodeURIComponent(text.toWellFormed()).slice(0, 4000);
