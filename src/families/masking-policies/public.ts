export { MaskingPolicies } from './applying.ts';
