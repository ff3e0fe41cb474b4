import { modelAliasSuite } from '../../suites/modelAliases.ts';
import { inMemory } from '../../support/worlds/inMemory.ts';

describe('model aliases', () => modelAliasSuite(inMemory));
