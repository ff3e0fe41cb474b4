import { expect } from 'chai';
import type { Provider } from '../../../../src/contract/families/llmProviders.ts';
import { chatOf, DIALECTED, DIALECTS } from './asked.ts';

const STOPPED = { messages: [{ role: 'user', content: 'Hello?' }], stop: ['END', 'stop'] } as const;
const openAi = (stop_reason: unknown) => ({
  choices: [{ message: { content: 'so' }, finish_reason: 'stop', stop_reason }],
});
const anthropic = (stop_sequence: unknown) => ({
  content: [{ type: 'text', text: 'so' }],
  stop_reason: 'stop_sequence',
  stop_sequence,
});
const stream = (...values: object[]) => values.map((value) => `data: ${JSON.stringify(value)}\n\n`).join('');

describe('the text that ended an answer', () => {
  const ANSWERS: [Provider, unknown][] = [
    ['General_Chat', openAi('END')],
    ['General_Chat', stream({ choices: [{ delta: { content: 'so' } }] }, openAi('END'))],
    ['Assistant_Family', anthropic('END')],
    [
      'Assistant_Family',
      stream(
        { type: 'message_start', message: { content: [{ type: 'text', text: 'so' }] } },
        { type: 'message_delta', delta: { stop_reason: 'stop_sequence', stop_sequence: 'END' } },
        { type: 'message_stop' },
      ),
    ],
    [
      'Cloud_Model_Hub',
      {
        ...{ output: { message: { content: [{ text: 'so' }] } }, stopReason: 'stop_sequence' },
        additionalModelResponseFields: { stop_sequence: 'END' },
      },
    ],
  ];
  for (const [index, [service, body]] of ANSWERS.entries()) {
    it(`is known of ${service} (${index + 1})`, async () => {
      const { stopSequence, finishReason } = await chatOf(service, { body }, STOPPED);
      expect([stopSequence, finishReason]).to.deep.equal(['END', 'stop']);
    });
  }

  it('is none where the request does not have it, and where the provider does not say', async () => {
    for (const body of [openAi('eos'), openAi(128_009), openAi(null), anthropic('eos'), anthropic(null)]) {
      const service = 'content' in body ? 'Assistant_Family' : 'General_Chat';
      expect(await chatOf(service, { body }, STOPPED)).not.to.have.property('stopSequence');
    }
    for (const service of DIALECTED) {
      const answer = await chatOf(service, { body: DIALECTS[service]('so', 'stop') }, STOPPED);
      expect(answer, service).not.to.have.property('stopSequence');
    }
  });
});
