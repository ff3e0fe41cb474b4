import { registeredModelSuite } from '../../suites/registeredModels.ts';
import { inMemory } from '../../support/worlds/inMemory.ts';

describe('registered models', () => registeredModelSuite(inMemory));
