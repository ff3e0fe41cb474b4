import { hostname } from 'node:os';
import { mergedConf } from '../apps/apps.ts';
import type { HostedApp } from '../apps/hostedApp.ts';
import { jsonReply, messagesReply, wantsJson, xmlReply } from '../eai/replies.ts';
import { requireCapability } from '../eai/routes.ts';
import { xmlText } from '../eai/xml.ts';
import type { PlatformRequest } from '../http/request.ts';
import type { Route } from '../http/route.ts';
import type { EventIndexes } from './eventIndexes.ts';

/** `receivers/simple`: the body is one event; each line is one if props.conf says so of the sourcetype. */
export function eventRoutes(indexes: EventIndexes, apps: () => readonly HostedApp[]): Route[] {
  const receive = (req: PlatformRequest) => {
    requireCapability(req, 'edit_tcp', 'admin_all_objects');
    const query = new Map(req.query);
    const named = query.get('index');
    // Events without an index land in main; the receipt says `default`.
    const index = named ?? 'main';
    if (!indexes.has(index)) {
      return messagesReply(req, 400, [{ type: 'WARN', text: `supplied index '${index}' missing` }]);
    }
    const raw = req.body.toString('utf8');
    if (raw === '') return messagesReply(req, 400, [{ type: 'WARN', text: 'empty body' }]);
    const fields = {
      host: query.get('host') ?? hostname(),
      source: query.get('source') ?? 'http-simple',
      // The guess of splunkd for text that is too short to guess from; longer text is not guessed here either.
      sourcetype: query.get('sourcetype') ?? 'unknown-too_small',
    };
    const { SHOULD_LINEMERGE: merge = 'true' } = mergedConf(apps(), 'props')[fields.sourcetype] ?? {};
    const isEachLine = ['false', '0'].includes(merge.trim().toLowerCase());
    const texts = isEachLine ? raw.split(/[\r\n]+/).filter((line) => line !== '') : [raw];
    for (const text of texts) indexes.add(index, { time: Date.now() / 1000, raw: text, ...fields });
    const receipt = { index: named ?? 'default', bytes: req.body.byteLength, ...fields };
    if (wantsJson(req)) return jsonReply(200, receipt);
    const cells = Object.entries(receipt).map(
      ([name, value]) =>
        `<field k="${name === 'index' ? '_index' : name}"><value><text>${xmlText(String(value))}</text></value></field>`,
    );
    return xmlReply(200, `<response><results><result>${cells.join('')}</result></results></response>\n`);
  };
  return [{ method: 'POST', pattern: '/receivers/simple', handle: receive }];
}
