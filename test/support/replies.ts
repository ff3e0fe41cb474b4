import { expect } from 'chai';
import type { Answer } from './worlds/world.ts';

/** What a failed expectation shows of a reply. */
export const summarize = ({ json }: Answer): string => JSON.stringify(json)?.slice(0, 500) ?? '';

/** @param what is told when it is another reply */
export function expectCode(reply: Answer, status: number, code: string, what = ''): void {
  expect(`${reply.status} ${reply.json?.error_code}`, `${what} ${summarize(reply)}`).to.equal(`${status} ${code}`);
  expect(reply.json.status).to.equal('fail');
}

/** The fields that a reply complains of, in its order. */
export const fieldsOf = ({ json }: Answer): string[] =>
  (json.errors ?? []).map(({ field }: { field: string }) => field);

/** What a list says of a page. */
export function pageOf(total: number, count: number, offset: number) {
  const returned = Math.max(0, Math.min(count === 0 ? total : count, total - offset));
  const end = offset + returned;
  const has_more = returned > 0 && end < total;
  return { offset, count, total, returned, has_more, next_offset: has_more ? end : null };
}

/** All that is wrong, in this order, and nothing else. */
export function expectFields(reply: Answer, ...fields: string[]): void {
  expectCode(reply, 400, 'validation_failed');
  expect(fieldsOf(reply), summarize(reply)).to.deep.equal(fields);
}

/** The same for a family whose secret must not stand in any of its refusals. */
export function refusalsWithout(secret: string): {
  expectCode: typeof expectCode;
  expectFields: typeof expectFields;
} {
  const clean = (reply: Answer) => expect(JSON.stringify(reply.json)).to.not.contain(secret);
  return {
    expectCode(reply, ...rest) {
      expectCode(reply, ...rest);
      clean(reply);
    },
    expectFields(reply, ...fields) {
      expectFields(reply, ...fields);
      clean(reply);
    },
  };
}
