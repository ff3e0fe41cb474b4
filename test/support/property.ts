import fc from 'fast-check';

// Written in the platform's tests, which import nothing of the app's.
export { holds, holdsAsync } from '../../platform/test/support/property.ts';

/** Keys as callers send them, those that mean something to a program included. */
export const anyKey = fc.oneof(
  fc.string({ maxLength: 8 }),
  fc.constantFrom('__proto__', 'constructor', 'toString', 'a', 'b', 'a.b', '', '*', 'token'),
);
