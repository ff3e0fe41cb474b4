import { isObject, type Json } from '../../contract/basics.ts';
import { withoutHidden } from '../../contract/families/alerts.ts';
import type { AlertRow } from './rows.ts';

/** The payload of an alert action. Holds the session of its owner: never log it. */
export interface Payload {
  /** Empty without a saved search. */
  searchName: string;
  sid: string;
  /** Only with one process for each result, in recent releases. */
  resultId?: string;
  app: string;
  /** Empty if the platform names none. */
  owner: string;
  /** Address of the management port. */
  serverUri: string;
  sessionKey: string;
  /** Name of the instance; empty if the platform names none. */
  serverHost: string;
  /** Path of the rows; empty without. */
  resultsFile: string;
  params: Readonly<Record<string, string>>;
  /** The first row, or the one of this process; without fields if there is none. */
  result: AlertRow;
}

/** The payload cannot be used. The message names what is wrong, never a value. */
export class PayloadError extends Error {
  override readonly name = 'PayloadError';
}

/** @param text the JSON on stdin @throws PayloadError */
export function readPayload(text: string): Payload {
  const payload = objectOf(text);
  const member = (name: string) => textOf(payload[name]);
  const required = (name: string) => {
    const value = member(name);
    if (value === '') throw new PayloadError(`The payload has no ${name}`);
    return value;
  };
  const resultId = member('result_id');
  return {
    searchName: member('search_name'),
    sid: required('sid'),
    ...(resultId === '' ? {} : { resultId }),
    app: member('app'),
    owner: member('owner'),
    serverUri: managementPort(required('server_uri')),
    sessionKey: required('session_key'),
    serverHost: member('server_host'),
    resultsFile: member('results_file'),
    params: texts(payload.configuration),
    result: withoutHidden(isObject(payload.result) ? cells(payload.result) : {}),
  };
}

function objectOf(input: string): Json {
  // A byte order mark is no JSON.
  const text = input.trim();
  if (text === '') throw new PayloadError('There is no payload on stdin: splunkd, or | sendalert, sends one');
  if (text.startsWith('<')) throw new PayloadError('The payload is XML: set payload_format = json');
  let value: unknown;
  try {
    // Ids may be numbers: their digits stay as they were written.
    value = JSON.parse(text, (_key, inner: unknown, context?: { source?: string }) =>
      typeof inner === 'number' ? (context?.source ?? inner) : inner,
    );
  } catch {
    // The error of the parser quotes the text, which has the session key.
    throw new PayloadError('The payload is not JSON');
  }
  if (!isObject(value)) throw new PayloadError('The payload is not a JSON object');
  return value;
}

function managementPort(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isPlain = url !== undefined && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
  if (!isPlain) throw new PayloadError('server_uri of the payload is not an address such as https://127.0.0.1:8089');
  return url.origin;
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

const texts = (value: unknown): Record<string, string> =>
  Object.fromEntries(Object.entries(isObject(value) ? value : {}).map(([name, inner]) => [name, textOf(inner)]));

const cells = (row: Json): AlertRow =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, Array.isArray(value) ? value.map(textOf) : textOf(value)]),
  );
