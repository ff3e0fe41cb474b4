import { connectionListSuite } from '../../suites/connectionLists.ts';
import { maskingPolicySuite } from '../../suites/maskingPolicies.ts';
import { mcpSuite } from '../../suites/mcp/suite.ts';
import { modelAliasSuite } from '../../suites/modelAliases.ts';
import { usageLimitSuite } from '../../suites/usageLimits.ts';
import { vectorStoreSuite } from '../../suites/vectorStores.ts';
import { verificationSuite } from '../../suites/verification/suite.ts';
import { overHttp } from '../../support/worlds/overHttp.ts';

describe('MCP connections over HTTP', () => mcpSuite(overHttp));

describe('vector stores over HTTP', () => vectorStoreSuite(overHttp));

describe('verify before replace over HTTP', () => verificationSuite(overHttp));

describe('list_connections over HTTP', () => connectionListSuite(overHttp));

describe('model aliases over HTTP', () => modelAliasSuite(overHttp));

describe('masking policies over HTTP', () => maskingPolicySuite(overHttp));

describe('usage limits over HTTP', () => usageLimitSuite(overHttp));
