import { PLATFORM_BUILD, PLATFORM_VERSION } from '../home/home.ts';
import type { PlatformReply } from '../http/reply.ts';
import type { PlatformRequest } from '../http/request.ts';
import type { EaiAcl, EaiEntry } from './entry.ts';
import { arrange, type Page } from './paging.ts';
import { jsonReply, wantsJson, xmlReply } from './replies.ts';
import { type EaiValue, xmlDict, xmlText } from './xml.ts';

export interface EaiFeed {
  title: string;
  /** Path of the collection: `/services/authentication/users`, `/servicesNS/nobody/x/storage/passwords`. */
  base: string;
  entries: EaiEntry[];
  status?: number;
  /** A single entity: no filter, no paging. */
  single?: boolean;
  /** Everything is listed unless `count` is given. */
  unpaged?: boolean;
  /** By default that of a collection which can be created in and reloaded. */
  links?: Record<string, string>;
  /** Whether the entries have a link for reloading them; default true. */
  isReloadable?: boolean;
}

const EPOCH = '1970-01-01T00:00:00+00:00';

/** `/services{path}`, or the namespace of the request with its wildcards. */
export function requestBase(req: PlatformRequest, path: string): string {
  if (!req.namespaced) return `/services${path}`;
  return `/servicesNS/${encodeURIComponent(req.ns.user ?? '-')}/${encodeURIComponent(req.ns.app ?? '-')}${path}`;
}

export function namespaceBase(owner: string, app: string, path: string): string {
  return `/servicesNS/${encodeURIComponent(owner)}/${encodeURIComponent(app)}${path}`;
}

export function originOf({ connection, headers }: PlatformRequest): string {
  return `${connection.ssl ? 'https' : 'http'}://${headers.host ?? `localhost:${connection.listening_port}`}`;
}

export function eaiReply(req: PlatformRequest, feed: EaiFeed): PlatformReply {
  const page: Page = feed.single
    ? { entries: feed.entries, total: feed.entries.length, perPage: 30, offset: 0 }
    : arrange(req, feed.entries, feed.unpaged ? 0 : 30);
  const origin = originOf(req);
  const links = feed.links ?? {
    create: `${feed.base}/_new`,
    _reload: `${feed.base}/_reload`,
    _acl: `${feed.base}/_acl`,
  };
  const updated = new Date().toISOString().replace(/\.\d+Z$/, '+00:00');
  const status = feed.status ?? 200;
  if (!wantsJson(req)) return xmlReply(status, atomFeed({ feed, page, origin, links, updated }));
  return jsonReply(status, {
    links,
    origin: origin + feed.base,
    updated,
    generator: { build: PLATFORM_BUILD, version: PLATFORM_VERSION },
    entry: page.entries.map((entry) => jsonEntry(entry, feed, origin)),
    paging: { total: page.total, perPage: page.perPage, offset: page.offset },
    messages: [],
  });
}

function entryLinks(entry: EaiEntry, feed: EaiFeed): { self: string; links: Record<string, string> } {
  // A slash is encoded twice: public clients decode a link once before they use it.
  const name = encodeURIComponent(entry.name).replaceAll('%2F', '%252F');
  const self = `${entry.base ?? feed.base}/${name}`;
  const usual: Record<string, string> = { alternate: self, list: self };
  if (feed.isReloadable !== false) usual._reload = `${self}/_reload`;
  if (entry.acl.can_write) usual.edit = self;
  if (entry.acl.removable === true) usual.remove = self;
  return { self, links: defined({ ...usual, ...entry.links }) };
}

function fullAcl(acl: EaiAcl): Record<string, EaiValue> {
  const shareable = acl.can_write;
  // Entries of the system belong to no app and cannot be shared.
  const sharing: Record<string, boolean> =
    acl.sharing === 'system'
      ? {}
      : {
          can_change_perms: shareable,
          can_share_app: shareable,
          can_share_global: shareable,
          can_share_user: shareable && acl.sharing === 'user',
        };
  return {
    app: acl.app,
    ...sharing,
    can_list: true,
    can_write: acl.can_write,
    modifiable: acl.can_write,
    owner: acl.owner,
    perms: acl.perms,
    removable: acl.removable === true,
    sharing: acl.sharing,
  };
}

function jsonEntry(entry: EaiEntry, feed: EaiFeed, origin: string): Record<string, unknown> {
  const { self, links } = entryLinks(entry, feed);
  const content = { ...entry.content, 'eai:acl': null, ...attributes(entry, feed) };
  return {
    name: entry.name,
    id: origin + self,
    updated: EPOCH,
    links,
    author: entry.acl.owner,
    acl: fullAcl(entry.acl),
    ...(feed.single && entry.fields ? { fields: entry.fields } : {}),
    content: entry.text ?? content,
  };
}

function attributes(entry: EaiEntry, feed: EaiFeed): Record<string, EaiValue> {
  if (!feed.single || entry.fields === undefined) return {};
  const { required, optional, wildcard } = entry.fields;
  return { 'eai:attributes': { optionalFields: optional, requiredFields: required, wildcardFields: wildcard } };
}

interface Atom {
  feed: EaiFeed;
  page: Page;
  origin: string;
  links: Record<string, string>;
  updated: string;
}

function atomFeed({ feed, page, origin, links, updated }: Atom): string {
  return `<feed xmlns="http://www.w3.org/2005/Atom" xmlns:s="http://dev.splunk.com/ns/rest" xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/">
  <title>${xmlText(feed.title)}</title>
  <id>${xmlText(origin + feed.base)}</id>
  <updated>${updated}</updated>
  <generator build="${PLATFORM_BUILD}" version="${PLATFORM_VERSION}"/>
  <author>
    <name>Splunk</name>
  </author>
${atomLinks(links)}
  <opensearch:totalResults>${page.total}</opensearch:totalResults>
  <opensearch:itemsPerPage>${page.perPage}</opensearch:itemsPerPage>
  <opensearch:startIndex>${page.offset}</opensearch:startIndex>
  <s:messages/>
${page.entries.map((entry) => atomEntry(entry, feed, origin)).join('')}</feed>
`;
}

function atomEntry(entry: EaiEntry, feed: EaiFeed, origin: string): string {
  const { self, links } = entryLinks(entry, feed);
  const dict = { ...entry.content, 'eai:acl': fullAcl(entry.acl), ...attributes(entry, feed) };
  const content =
    entry.text === undefined
      ? `<content type="text/xml">\n${xmlDict(dict)}\n    </content>`
      : `<content type="text">${xmlText(entry.text)}</content>`;
  return `  <entry>
    <title>${xmlText(entry.name)}</title>
    <id>${xmlText(origin + self)}</id>
    <updated>${EPOCH}</updated>
${atomLinks(links)}
    <author>
      <name>${xmlText(entry.acl.owner)}</name>
    </author>
    ${content}
  </entry>
`;
}

function atomLinks(links: Record<string, string>): string {
  return Object.entries(links)
    .map(([rel, href]) => `  <link href="${xmlText(href)}" rel="${xmlText(rel)}"/>`)
    .join('\n');
}

function defined(links: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(links).filter((pair): pair is [string, string] => pair[1] !== undefined));
}
