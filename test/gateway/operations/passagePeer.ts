import { expect } from 'chai';
import type { PassageQuery } from '../../../src/ports/cloud/passages.ts';
import type { Json, MemoryApp } from '../../support/memory/app.ts';
import { KNOWLEDGE_BASES, PASSAGE } from '../../support/memory/cloud.ts';

export const KB = 'ABCDE12345';

/** The knowledge base of all vector stores, for the tests of the `describe` that it is made in. */
export class PassagePeer {
  asked: [id: string, query: PassageQuery][] = [];
  answer: (query: PassageQuery) => Promise<(typeof PASSAGE)[] | undefined> = async () => [PASSAGE];
  status = 'ACTIVE';
  /** Visits that nobody has closed. */
  open = 0;

  constructor() {
    const base = { ...KNOWLEDGE_BASES };
    before(() => {
      KNOWLEDGE_BASES.visit = async () => this.#visit();
    });
    beforeEach(() => {
      this.asked = [];
      this.answer = async () => [PASSAGE];
      this.status = 'ACTIVE';
      this.open = 0;
    });
    afterEach(() => expect(this.open).to.equal(0));
    after(() => {
      Object.assign(KNOWLEDGE_BASES, base);
    });
  }

  /** Never answers, and ignores the deadline. */
  hang(): void {
    this.answer = () => {
      this.open -= 1;
      return new Promise(() => {});
    };
  }

  #visit() {
    this.open += 1;
    return {
      assumeRole: async () => {},
      describe: async () => ({ status: this.status }),
      retrieve: (id: string, query: PassageQuery) => {
        this.asked.push([id, query]);
        return this.answer(query);
      },
      close: () => {
        this.open -= 1;
      },
    };
  }
}

/** Makes a vector store as `editor`. */
export async function makeStore(app: MemoryApp, name: string, acl: Json): Promise<void> {
  const details = { cloud_region: 'eu-central-1', kb_id: KB, role_arn: 'arn:aws:iam::123456789012:role/retrieve' };
  const { status, json } = await app.call('editor', 'POST', '/vector_stores', {
    ...{ name, type: 'CLOUD_KB', description: `About ${name}`, details, acl },
  });
  expect(status, JSON.stringify(json)).to.equal(200);
}
