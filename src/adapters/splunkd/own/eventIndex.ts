import { stringifyExact } from '../../../contract/exactJson.ts';
import type { EventIndex } from '../../../ports/platform/log.ts';
import { APP, type SplunkdClient, unexpectedReply } from '../client.ts';

export function splunkdEvents(client: SplunkdClient, token: string): EventIndex {
  return {
    async send(index, sourcetype, events) {
      // props.conf makes each line an event.
      const lines = events.map((event) => stringifyExact(event)).join('\n');
      const query = { index, sourcetype, source: APP };
      const endpoint = 'receivers/simple';
      const reply = await client.call({ method: 'POST', endpoint, token, namespace: 'services', query, lines });
      if (reply.status !== 200 && reply.status !== 201) throw unexpectedReply(`events for the index ${index}`, reply);
    },
  };
}
