import { usageLimitSuite } from '../../suites/usageLimits.ts';
import { inMemory } from '../../support/worlds/inMemory.ts';

describe('usage limits', () => usageLimitSuite(inMemory));
