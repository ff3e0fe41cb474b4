import { verificationSuite } from '../../suites/verification/suite.ts';
import { inMemory } from '../../support/worlds/inMemory.ts';

describe('verify before replace', () => verificationSuite(inMemory));
