import type { Messages } from '../../../ports/platform/messages.ts';
import { type SplunkdClient, unexpectedReply } from '../client.ts';

export function splunkdMessages(client: SplunkdClient, token: string): Messages {
  return {
    async post({ name, text, severity, capability }) {
      const form = { name, value: text, severity, capability };
      const reply = await client.call({ method: 'POST', endpoint: 'messages', token, namespace: 'services', form });
      if (reply.status !== 200 && reply.status !== 201) throw unexpectedReply('a message', reply);
    },
  };
}
