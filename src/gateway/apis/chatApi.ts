import type { RawReply } from '../../contract/rows/rawReply.ts';
import type { ChatReply, ChatRequest } from '../../families/llm-providers/public.ts';
import type { Times } from '../../metering/meter.ts';
import type { ChargeFields, UseResult } from '../models/chatReply.ts';
import type { Naming } from '../models/naming.ts';

export type ChatResult = UseResult<ChatReply> & ChargeFields;

/** A request for a chat in the normal form, and how its answer is written. */
export interface ParsedChat<R> {
  /** Undefined: the alias `default`. */
  reference: string | undefined;
  request: ChatRequest;
  naming: Naming;
  /** Path of the answer's schema in the request. */
  schemaField: string;
  /** Names fields that were left out or changed, whoever answers. */
  warnings: readonly string[];
  /** @param reference the model that was asked for */
  reply(result: ChatResult, reference: string, times: Times): R;
}

/** Clients of other makers set these by themselves, so a provider without them is asked all the same. */
export const LEFT_OUT: readonly string[] = ['tools[].function.strict', 'image_url.detail'];

/** An API in which chats are asked for. Another one is a file beside these, an endpoint and a line among the handlers. */
export interface ChatApi<B, R> {
  /** Its endpoint. */
  row: string;
  /** @throws Fault `validation_failed`, `not_supported` */
  parse(body: B): ParsedChat<R>;
  /** The complete reply as an event stream, since the platform hands over a reply when it is complete. */
  stream(reply: R, body: B): RawReply;
}
