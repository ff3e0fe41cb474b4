import { blobOf } from '../../support/records/llmBlob.ts';
import type { Answer, World } from '../../support/worlds/world.ts';

export type Json = Record<string, unknown>;

export const ROOT = '/aicommander';
export const METADATA = '/aicommander_metadata';

export const textOf = ({ json }: Answer): string => JSON.stringify(json);

export class LlmKit {
  readonly world: World;
  #names = 0;

  constructor(world: World) {
    this.world = world;
  }

  /** A complete configuration under an unused connection name. */
  fresh = (more: Json = {}) => {
    this.#names += 1;
    const blob = blobOf('General_Chat', 'https://llm.example');
    return { ...blob, connection_name: `connection ${this.#names}`, ...more };
  };

  pathOf = ({ service, connection_name, model }: Json): string =>
    `${ROOT}/${service}/${encodeURIComponent(String(connection_name))}/${String(model).split('/').map(encodeURIComponent).join('/')}`;

  save = (body: object | string, headers?: Record<string, string>): Promise<Answer> =>
    this.world.call('editor', 'POST', ROOT, body, headers);

  read = (blob: Json): Promise<Answer> => this.world.call('reader', 'GET', this.pathOf(blob));

  remove = (blob: Json, query = '', headers?: Record<string, string>): Promise<Answer> =>
    this.world.call('editor', 'DELETE', this.pathOf(blob) + query, undefined, headers);

  /** Tests a saved or sent configuration, or refreshes the models. */
  test = (body: object): Promise<Answer> => this.world.call('editor', 'POST', METADATA, body);

  list = async (query: string) => (await this.world.call('reader', 'GET', `${ROOT}?${query}`)).json;

  /** How many secrets are stored for a connection. */
  async secretCount(connection: string): Promise<number> {
    const refs = (await this.world.records('ml_llm_connections'))
      .filter((doc) => doc.connection_name === connection && doc.secret_ref)
      .map((doc) => String(doc.secret_ref).replace(/~\d+$/, ''));
    return (await this.world.secretRefs()).filter((ref) => refs.includes(ref)).length;
  }
}
