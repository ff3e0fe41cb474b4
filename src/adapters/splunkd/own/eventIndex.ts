import type { EventIndex } from '../../../ports/platform/log.ts';
import { APP, type SplunkdClient, unexpectedReply } from '../client.ts';

export function splunkdEvents(client: SplunkdClient, token: string): EventIndex {
  return {
    async send(index, sourcetype, event) {
      const query = { index, sourcetype, source: APP };
      const endpoint = 'receivers/simple';
      const reply = await client.call({ method: 'POST', endpoint, token, namespace: 'services', query, json: event });
      if (reply.status !== 200 && reply.status !== 201) throw unexpectedReply(`an event for the index ${index}`, reply);
    },
  };
}
