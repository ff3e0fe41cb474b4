import type { Json } from '../../../src/contract/basics.ts';
import type { MemoryApp } from '../../support/memory/app.ts';
import { configure } from '../gatewayApp.ts';

/** An address other than the service's own, a model, and what it answers. */
const SERVICES = {
  General_Chat: { address: 'https://server.example/v1', reply: { choices: [{ message: { content: 'ok' } }] } },
  Assistant_Family: {
    address: 'https://anthropic.example',
    reply: { content: [{ type: 'text', text: 'ok' }], stop_reason: 'end_turn' },
  },
  Fast_Inference: { address: 'https://groq.example/v1', reply: { choices: [{ message: { content: 'ok' } }] } },
  Search_Vendor_Models: {
    address: 'https://gemini.example',
    reply: { candidates: [{ content: { parts: [{ text: 'ok' }] }, finishReason: 'STOP' }] },
  },
  Local_Runtime: { address: 'http://ollama.example', reply: { message: { content: 'ok' }, done_reason: 'stop' } },
  Cloud_Model_Hub: { address: 'https://bedrock.example', reply: {} },
} as const;

export type Service = keyof typeof SERVICES;

interface Configured {
  reference: string;
  /** Bodies that the service got. */
  bodies: Json[];
}

/** A configuration of a service that answers `ok`. @param address another one, such as the service's own */
export async function configureService(
  app: MemoryApp,
  service: Service,
  { model = 'm', address, modelsettings = {} }: { model?: string; address?: string; modelsettings?: Json } = {},
): Promise<Configured> {
  const name = `at ${address === undefined ? 'another address' : 'its own'}`;
  const settings =
    service === 'Cloud_Model_Hub'
      ? { region: { value: 'eu-central-1' } }
      : { endpoint: { value: address ?? SERVICES[service].address }, access_token: { value: 'sk-canary-service' } };
  await configure(app, name, model, modelsettings, { service, servicesettings: settings });
  const bodies: Json[] = [];
  app.llm.answer = (call) => {
    bodies.push(JSON.parse(call.body ?? '{}'));
    return { json: SERVICES[service].reply };
  };
  app.llm.converseOutput = (input) => {
    bodies.push(input);
    return { output: { message: { content: [{ text: 'ok' }] } }, stopReason: 'end_turn' };
  };
  return { reference: `${service}/${name}/${model}`, bodies };
}
