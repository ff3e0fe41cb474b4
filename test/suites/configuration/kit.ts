import { expect } from 'chai';
import { CAPABILITIES, type Capability } from '../../../src/contract/capabilities.ts';
import { summarize } from '../../support/replies.ts';
import type { Answer, OpenWorld, World } from '../../support/worlds/world.ts';
import { COLLECTIONS, type Document, expectClean, type Json } from './site.ts';

const ADDRESS = 'https://mcp.example/mcp';

/** An MCP connection in a document. */
export const connection = (name: string, more: Json = {}, beside: Json = {}): Json => ({
  family: 'mcp-connections',
  name,
  spec: { name, type: 'PLATFORM', details: { url: ADDRESS }, ...more },
  ...beside,
});

export const documentOf = (...records: unknown[]): Json => ({ format: 'ml_extension', format_version: 1, records });

/** A user with every capability of the app, in a new world. */
export const openKeeper = (open: OpenWorld): Kit =>
  new Kit(
    open({
      users: { keeper: ['keeper'] },
      roles: { keeper: Object.keys(CAPABILITIES) as Capability[] },
      collections: COLLECTIONS,
    }),
    'keeper',
  );

/** How a suite exports and imports, as one of its users. */
export class Kit {
  readonly world: World;
  readonly user: string;

  constructor(world: World, user: string) {
    this.world = world;
    this.user = user;
  }

  call = (method: string, path: string, body?: object): Promise<Answer> =>
    this.world.call(this.user, method, path, body);

  /** Whatever it is answered. */
  send = (document: unknown, more: object = {}): Promise<Answer> => this.call('POST', '/import', { document, ...more });

  async plan(document: unknown, more: object = {}): Promise<Answer> {
    const reply = await this.send(document, more);
    expect(reply.status, summarize(reply)).to.equal(200);
    expectClean(reply.json);
    return reply;
  }

  apply = (document: unknown, more: object = {}): Promise<Answer> => this.plan(document, { mode: 'apply', ...more });

  async export(query = ''): Promise<Document> {
    const reply = await this.call('GET', `/export${query}`);
    expect(reply.status, summarize(reply)).to.equal(200);
    return reply.json.document;
  }

  /** The one record of a document. */
  async planOne(record: Json, more: object = {}): Promise<Json> {
    return (await this.plan(documentOf(record), more)).json.result[0];
  }

  async make(path: string, body: object): Promise<void> {
    const reply = await this.call('POST', path, body);
    expect(reply.status, summarize(reply)).to.equal(200);
  }
}
