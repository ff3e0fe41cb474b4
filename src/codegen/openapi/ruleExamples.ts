import type { Examples } from './exampleTypes.ts';

const LIMIT = 'Team';
const POLICY = 'Secrets and users';
const KINDS = { key: 'mask', password: 'refuse', email: 'mask', user: 'mask', sid: 'mask' } as const;
const PAGE = { count: 30, offset: 0 };

type RuleRows =
  | 'listUsageLimits'
  | 'getUsageLimit'
  | 'createUsageLimit'
  | 'updateUsageLimit'
  | 'deleteUsageLimit'
  | 'listMaskingPolicies'
  | 'getMaskingPolicy'
  | 'createMaskingPolicy'
  | 'updateMaskingPolicy'
  | 'deleteMaskingPolicy'
  | 'previewMaskingPolicy';

/** Requests about limits and masking policies. */
export const RULE_EXAMPLES: Pick<Examples, RuleRows> = {
  listUsageLimits: { query: { ...PAGE, search: 'team' } },
  getUsageLimit: { params: { name: LIMIT } },
  createUsageLimit: {
    body: { name: LIMIT, applies_to: { roles: ['user'] }, window: 'day', requests: 500, tokens: 2e6 },
  },
  updateUsageLimit: { body: { name: LIMIT, requests: 800, version: 1 } },
  deleteUsageLimit: { params: { name: LIMIT } },

  listMaskingPolicies: { query: { ...PAGE, search: 'secrets' } },
  getMaskingPolicy: { params: { name: POLICY } },
  createMaskingPolicy: {
    body: {
      name: POLICY,
      description: 'What must not reach providers outside',
      applies_to: { services: ['General_Chat', 'Assistant_Family'], roles: ['user'] },
      kinds: KINDS,
      fields: ['customer'],
      patterns: [{ label: 'badge', pattern: '[A-Z]{2}[0-9]{6}', keyword: 'badge' }],
      never: ['svc_backup', '*.example.com', '192.0.2.0/24'],
      regions: ['DE'],
    },
  },
  updateMaskingPolicy: { body: { name: POLICY, images: 'refuse', version: 1 } },
  deleteMaskingPolicy: { params: { name: POLICY } },
  previewMaskingPolicy: {
    body: { text: 'user=jdoe asked for jane.roe@example.org', policy: { kinds: { user: 'mask', email: 'mask' } } },
  },
};
