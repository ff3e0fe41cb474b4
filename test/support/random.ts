// Written in the platform's tests, which import nothing of the app's.
export { Random } from '../../platform/test/support/random.ts';
