import type { Static } from 'typebox';
import { isObject, type Json } from '../../../contract/basics.ts';
import { stringifyExact } from '../../../contract/exactJson.ts';
import { estimateTokens } from '../../../metering/tokens.ts';
import type { CountTokensBody } from './schemas.ts';

type Body = Pick<Static<typeof CountTokensBody>, 'messages' | 'system' | 'tools'>;

/** Tokens of an image of the largest size that models do not shrink. */
const IMAGE = 1500;
/** Bytes of base64 for a token of a PDF, whose pages are read as text and as images. */
const BYTES_PER_TOKEN = 10;
/** Around each message, and around the tools. */
const MESSAGE = 8;
const TOOLS = 350;
/** A client whose count is too low sends more than fits. */
const MARGIN = 1.2;

/** An estimate of the tokens of a prompt, rather too high than too low. It fails for nothing that can be sent. */
export function countTokens({ messages, system, tools }: Body): number {
  const parts = [
    tokensOfContent(system),
    ...messages.map(({ content }) => MESSAGE + tokensOfContent(content)),
    ...(tools?.length ? [TOOLS, tokensOfText(stringifyExact(tools))] : []),
  ];
  return Math.ceil(parts.reduce((total, tokens) => total + tokens, 0) * MARGIN);
}

/** Letters of other alphabets are often a token each. */
const tokensOfText = (text: string): number => estimateTokens(text) + (text.match(/[^\0-\x7f]/g)?.length ?? 0);

function tokensOfContent(content: unknown): number {
  if (typeof content === 'string') return tokensOfText(content);
  if (Array.isArray(content)) return content.reduce<number>((total, block) => total + tokensOfBlock(block), 0);
  return 0;
}

function tokensOfBlock(block: unknown): number {
  if (!isObject(block)) return 0;
  const { type, source, content, title, thinking, text } = block;
  const given = isObject(source) ? source : {};
  switch (type) {
    case 'text':
      return tokensOfContent(text);
    case 'image':
      return IMAGE;
    case 'document':
      return tokensOfContent(title) + tokensOfContent(block.context) + tokensOfDocument(given);
    case 'tool_result':
    case 'search_result':
      return MESSAGE + tokensOfContent(title) + tokensOfContent(block.source) + tokensOfContent(content);
    case 'thinking':
      return tokensOfContent(thinking);
    default:
      return MESSAGE + tokensOfText(stringifyExact(block));
  }
}

function tokensOfDocument({ type, data, content }: Json): number {
  if (type === 'text') return tokensOfContent(data);
  if (type === 'content') return tokensOfContent(content);
  return IMAGE + (typeof data === 'string' ? Math.ceil(data.length / BYTES_PER_TOKEN) : 0);
}
