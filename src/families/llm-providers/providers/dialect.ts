import type { OutboundCode } from '../../../contract/outbound.ts';
import type { Target } from './provider.ts';

export type Json = Record<string, unknown>;
export const asObject = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
export const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
export const asText = (value: unknown): string => (typeof value === 'string' ? value : '');

/** How much of a provider's text is searched for the reason of a failure: a text of megabytes does not give one. */
const LONGEST_REASON = 2000;
export const reasonText = (value: unknown): string => asText(value).slice(0, LONGEST_REASON);

export interface DialectRequest {
  method: 'GET' | 'POST';
  /** Below the base address. */
  path: string;
  body?: Json;
}

/** The parts of an answer that is not a success. */
export interface Refusal {
  asked: 'chat' | 'list';
  status: number;
  headers: Readonly<Record<string, string>>;
  /** The JSON object of the body; empty when there is none. */
  body: Json;
  text: string;
}

/** A provider's HTTP dialect: pure functions from a question to a request and from a body to an answer. */
export interface Dialect {
  headers(target: Target): Record<string, string>;
  /** The same question in the forms worth trying, best first. */
  chat(target: Target, model: string): readonly DialectRequest[];
  list(target: Target, cursor: string | undefined): readonly DialectRequest[];
  /** Whether the next form is worth a try after this refusal. */
  tryNext(refusal: Refusal): boolean;
  /** What the model said; undefined when the body is not such an answer. */
  said(body: Json): string | undefined;
  /** One page; undefined when the body is not such a list. */
  page(body: Json): { ids: string[]; next?: string | undefined } | undefined;
  /** Finer than the HTTP status; undefined leaves it at that. */
  code(refusal: Refusal): OutboundCode | undefined;
  retryAfter?(refusal: Refusal): number | undefined;
}
