/** What other families may know of this one. */
export { portableExperiments } from './portable.ts';
