import { expect } from 'chai';
import { Fault } from '../../src/contract/codes/faults.ts';

/** The Fault that this throws or rejects with; anything else fails the test. */
export async function faultOf(work: (() => unknown) | Promise<unknown>): Promise<Fault> {
  try {
    await (typeof work === 'function' ? work() : work);
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
  return expect.fail('nothing was thrown') as never;
}

/** Fields named by a validation failure, in order. */
export function fieldsOf(fault: Fault): string[] {
  return ((fault.extra.errors ?? []) as { field: string }[]).map((problem) => problem.field);
}

/** The error of this class that work rejects with; anything else fails the test. */
export async function rejection<E extends Error>(
  work: Promise<unknown>,
  type: abstract new (...args: never[]) => E,
): Promise<E> {
  const error = await work.then(
    (value) => expect.fail(`nothing was thrown: ${JSON.stringify(value)}`),
    (thrown: unknown) => thrown,
  );
  expect(error, String(error)).to.be.instanceOf(type);
  return error as E;
}
