import { experimentSuite } from '../../suites/experiments.ts';
import { inMemory } from '../../support/worlds/inMemory.ts';

describe('experiments', () => experimentSuite(inMemory));
