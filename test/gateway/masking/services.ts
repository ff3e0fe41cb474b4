import type { Json } from '../../../src/contract/basics.ts';
import type { MaskingPolicy } from '../../../src/masking/masking.ts';
import type { MemoryApp } from '../../support/memory/app.ts';
import { configure } from '../gatewayApp.ts';

export const VALUES = { user: 'jdoe', ipext: '198.51.100.7', host: 'dc01.corp.local', mail: 'jane.doe@example.com' };
export const POLICY: MaskingPolicy = {
  kinds: { user: 'mask', ipv4: 'mask', host: 'mask', email: 'mask', password: 'mask' },
};

/** Answers of a model in the form of each service. */
interface Answered {
  text: string;
  args?: Json;
  thought?: string;
}

/** What a provider signs, with the thoughts of its model. */
export const SIGNATURE = 'c2lnbmVk';

const openAi = ({ text, args, thought }: Answered): Json => ({
  choices: [
    {
      message: {
        content: text,
        ...(thought === undefined ? {} : { reasoning_content: thought }),
        ...(args
          ? {
              tool_calls: [
                { id: 'c2', type: 'function', function: { name: 'lookup', arguments: JSON.stringify(args) } },
              ],
            }
          : {}),
      },
      finish_reason: args ? 'tool_calls' : 'stop',
    },
  ],
});

export const ANSWERS = {
  General_Chat: openAi,
  Enterprise_Cloud_Chat: openAi,
  Fast_Inference: openAi,
  Platform_Hosted_Models: openAi,
  Assistant_Family: ({ text, args, thought }) => ({
    content: [
      ...(thought === undefined ? [] : [{ type: 'thinking', thinking: thought, signature: SIGNATURE }]),
      { type: 'text', text },
      ...(args ? [{ type: 'tool_use', id: 'c2', name: 'lookup', input: args }] : []),
    ],
    stop_reason: args ? 'tool_use' : 'end_turn',
  }),
  Search_Vendor_Models: ({ text, args, thought }) => ({
    candidates: [
      {
        content: {
          parts: [
            ...(thought === undefined ? [] : [{ text: thought, thought: true }]),
            { text },
            ...(args ? [{ functionCall: { name: 'lookup', args }, thoughtSignature: SIGNATURE }] : []),
          ],
        },
        finishReason: 'STOP',
      },
    ],
  }),
  Local_Runtime: ({ text, args, thought }) => ({
    message: {
      content: text,
      ...(thought === undefined ? {} : { thinking: thought }),
      ...(args ? { tool_calls: [{ function: { name: 'lookup', arguments: args } }] } : {}),
    },
    done_reason: 'stop',
  }),
  Cloud_Model_Hub: ({ text, args, thought }) => ({
    output: {
      message: {
        content: [
          ...(thought === undefined
            ? []
            : [{ reasoningContent: { reasoningText: { text: thought, signature: SIGNATURE } } }]),
          { text },
          ...(args ? [{ toolUse: { toolUseId: 'c2', name: 'lookup', input: args } }] : []),
        ],
      },
    },
    stopReason: args ? 'tool_use' : 'end_turn',
  }),
} as const satisfies Record<string, (answer: Answered) => Json>;

export type Service = keyof typeof ANSWERS;

export interface Recorded {
  reference: string;
  /** The bodies that the service got, as text. */
  bodies: string[];
}

/** A policy in force, for one service or for all. */
export function mask(app: MemoryApp, policies: readonly MaskingPolicy[] = [POLICY], service?: string): void {
  app.gateway.masking.policies.applying = async (_, use) => ({
    policies: service === undefined || use.service === service ? policies : [],
    refusesImages: false,
  });
}

/** A configuration of a service whose answers are made of the placeholders that it got, by their labels. */
export async function recorder(
  app: MemoryApp,
  service: Service,
  answer: (words: Readonly<Record<string, string>>, body: string) => Answered,
): Promise<Recorded> {
  const bodies: string[] = [];
  const name = `record ${service}`;
  const own: Json =
    service === 'Cloud_Model_Hub'
      ? { region: { value: 'eu-central-1' } }
      : {
          endpoint: { value: `https://${service.toLowerCase().replaceAll('_', '-')}.example` },
          access_token: { value: 'sk-canary-key' },
        };
  const version = service === 'Enterprise_Cloud_Chat' ? { enterprise_api_version: { value: '2024-10-21' } } : {};
  await configure(app, name, 'm', {}, { service, servicesettings: { ...own, ...version } });
  const replyTo = (body: string): Json => {
    bodies.push(body);
    return ANSWERS[service](answer(wordsIn(body), body));
  };
  app.llm.answer = ({ body = '' }) => ({ json: replyTo(body) });
  app.llm.converseOutput = (input) => replyTo(JSON.stringify(input, withBase64));
  bodies.length = 0;
  return { reference: `${service}/${name}/m`, bodies };
}

/** Files are bytes until they are sent. */
function withBase64(this: Json, key: string, value: unknown): unknown {
  const given = this[key];
  return given instanceof Uint8Array ? Buffer.from(given).toString('base64') : value;
}

const SAMPLE = 'ipint-k7m2q9xw4d';

/** The placeholders of a body but that of the sentence. */
export const wordsIn = (body: string): Record<string, string> =>
  Object.fromEntries(
    [...body.replaceAll(SAMPLE, '').matchAll(/\b(user|ipext|ipint|host|mail|sec|name)-[0-9a-z]{10,11}\b/g)].map(
      ([word, label]) => [label, word],
    ),
  );
