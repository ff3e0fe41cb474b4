import { OutboundError } from '../../../../src/contract/codes/outbound.ts';
import type { Provider } from '../../../../src/contract/families/llmProviders.ts';
import { startDeadline } from '../../../../src/domain/async/deadline.ts';
import { unmetered } from '../../../../src/domain/async/unmetered.ts';
import type { ChatRequest } from '../../../../src/families/llm-providers/chat/chat.ts';
import { LLM_PROVIDERS } from '../../../../src/families/llm-providers/providers/registry.ts';
import { unmasked } from '../../../../src/masking/outgoing.ts';
import { FakeLlm } from '../../../support/memory/llm.ts';

/** What a provider answers; a text as it is, anything else as JSON. */
export interface Answered {
  status?: number;
  body: unknown;
  headers?: Record<string, string>;
}

const target = {
  settings: {
    endpoint: 'https://llm.example',
    verify_tls: true,
    region: 'eu-central-1',
    enterprise_api_version: 'v1',
    access_token: 'token',
  },
  hidden: [],
};
const HELLO: ChatRequest = { messages: [{ role: 'user', content: 'Hello?' }] };

/** A client of the service whose provider always answers so. */
function clientOf(service: Provider, { status = 200, body, headers = {} }: Answered) {
  const peers = new FakeLlm();
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  peers.answer = () => ({ status, text, headers });
  peers.converseOutput = () => body as Record<string, unknown>;
  peers.invocation = () => ({ output: body as Record<string, unknown> });
  return LLM_PROVIDERS[service].client(target, peers);
}

export async function chatOf(service: Provider, answered: Answered, request = HELLO) {
  using deadline = startDeadline(5000);
  return await clientOf(service, answered).chat('m', unmasked(request), unmetered(deadline));
}

export async function vectorsOf(service: Provider, body: unknown, inputs = ['a'], model = 'm') {
  using deadline = startDeadline(5000);
  return await clientOf(service, { body }).embed(model, unmasked({ inputs }), unmetered(deadline));
}

export async function listOf(service: Provider, answered: Answered) {
  using deadline = startDeadline(5000);
  return await clientOf(service, answered).list(deadline);
}

export async function failureOf(work: Promise<unknown>): Promise<OutboundError> {
  const error = await work.then(
    (value) => new Error(`no failure: ${JSON.stringify(value)}`),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof OutboundError)) throw error;
  return error;
}

/** A service for each dialect, and its answer with a text and a reason. */
export const DIALECTS = {
  General_Chat: (text: string, finish_reason?: string) => ({
    choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason }],
  }),
  Assistant_Family: (text: string, stop_reason?: string) => ({ content: [{ type: 'text', text }], stop_reason }),
  Cloud_Model_Hub: (text: string, stopReason?: string) => ({
    output: { message: { content: [{ text }] } },
    stopReason,
  }),
  Search_Vendor_Models: (text: string, finishReason?: string) => ({
    candidates: [{ content: { parts: [{ text }] }, finishReason }],
  }),
  Local_Runtime: (text: string, done_reason?: string) => ({ message: { content: text }, done: true, done_reason }),
} as const satisfies Partial<Record<Provider, (text: string, reason?: string) => object>>;

export type Dialected = keyof typeof DIALECTS;
export const DIALECTED = Object.keys(DIALECTS) as Dialected[];
