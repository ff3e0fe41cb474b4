import { expect } from 'chai';
import { expectCode, fieldsOf } from '../../support/replies.ts';
import type { Answer, World } from '../../support/worlds/world.ts';

export type Json = Record<string, unknown>;

export const PATH = '/mcp_connection';
export const CONNECTIONS = 'ml_mcp_connections';
export const LISTINGS = 'ml_mcp_listings';
export const ACCEPTED = 'ml_mcp_accepted';
export const MASK = '***MASKED***';
export const URL = 'https://mcp.example/mcp';

/** The endpoints of MCP connections. Where no user is named it is anna. */
export class McpCalls {
  readonly world: World;
  #made = 0;

  constructor(world: World) {
    this.world = world;
  }

  post = (body: object | string, user = 'anna') => this.world.call(user, 'POST', PATH, body);

  put = (body: object, user = 'anna', headers: Record<string, string> = {}) =>
    this.world.call(user, 'PUT', PATH, body, headers);

  get = (name: string, user = 'anna') => this.world.call(user, 'GET', `${PATH}/${encodeURIComponent(name)}`);

  list = (query: string, user = 'anna') => this.world.call(user, 'GET', `${PATH}${query}`);

  remove = (name: string, user = 'anna', query = '', headers: Record<string, string> = {}) =>
    this.world.call(user, 'DELETE', `${PATH}/${encodeURIComponent(name)}${query}`, undefined, headers);

  test = (body: object, user = 'anna') => this.world.call(user, 'POST', `${PATH}/test`, body);

  tools = (body: object, user = 'anna') => this.world.call(user, 'POST', `${PATH}/tools`, body);

  accept = (body: object, user = 'anna', headers: Record<string, string> = {}) =>
    this.world.call(user, 'POST', `${PATH}/accept_tools`, body, headers);

  config = async (name: string) => (await this.get(name)).json.config;

  secrets = (name: string) => this.world.secretsOf(CONNECTIONS, name);

  /** A connection with a token, under an unused name. */
  made = async (more: Json = {}, user = 'anna'): Promise<{ name: string; config: Answer['json'] }> => {
    this.#made += 1;
    const name = `conn ${this.#made}`;
    const reply = await this.post(
      { name, type: 'PLATFORM', details: { url: URL, token: 'first-token' }, ...more },
      user,
    );
    expectOk(reply);
    await this.world.later();
    return { name, config: reply.json.config };
  };

  /** One of an issue tracker, with every secret that has a name. */
  tracker = (details: Json = {}, more: Json = {}) =>
    this.made({
      type: 'ISSUE_TRACKER',
      details: { url: URL, token: 't1', client_secret: 's1', refresh_token: 'r1', client_id: 'c', ...details },
      ...more,
    });
}

export function expectOk(reply: Answer, what = ''): void {
  expect(reply.status, `${what} ${JSON.stringify(reply.json)}`).to.equal(200);
}

/** The platform writes the names of headers as it likes. */
export const headerOf = ({ headers }: Answer, name: string) =>
  Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1];

/** All that is wrong, in any order, and nothing else; the message names it too. */
export function expectFields(reply: Answer, ...fields: string[]): void {
  expectCode(reply, 400, 'validation_failed');
  expect(fieldsOf(reply), JSON.stringify(reply.json)).to.have.members(fields);
  for (const field of fields) expect(reply.json.message).to.contain(field);
}

export const inline = (url: string, details: Json = {}, type = 'PLATFORM') => ({ type, details: { url, ...details } });

export const TARGET_KEYS = ['mcp_name', 'mcp_type', 'mcp_server_url', 'response_time_ms'];
export const TEST_KEYS = [...TARGET_KEYS, 'http_status', 'authenticated', 'reachable', 'transport', 'protocol_version'];

/** A test that failed is an answer (contract 1.9). */
export function expectFailedTest({ status, json }: Answer, code: string): void {
  expect(status, JSON.stringify(json)).to.equal(200);
  expect(json, JSON.stringify(json)).to.include({ status: 'fail', success: false, error_code: code });
  expect(json.message).to.be.a('string').and.not.equal('');
  expect(json.data).to.include.all.keys(TEST_KEYS);
}

/** A listing that failed is an error (contract 2). */
export function expectFailedListing({ status, json }: Answer, expected: number, code: string): void {
  expect(status, JSON.stringify(json)).to.equal(expected);
  expect(json, JSON.stringify(json)).to.include({ status: 'fail', success: false, error_code: code });
}
