import { rightsSuite } from '../../suites/configuration/rights.ts';
import { inMemory } from '../../support/worlds/inMemory.ts';

describe('configuration as a file: rights', () => rightsSuite(inMemory));
