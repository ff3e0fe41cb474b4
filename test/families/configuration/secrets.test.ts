import { secretSuite } from '../../suites/configuration/secrets.ts';
import { inMemory } from '../../support/worlds/inMemory.ts';

describe('configuration as a file: secrets', () => secretSuite(inMemory));
