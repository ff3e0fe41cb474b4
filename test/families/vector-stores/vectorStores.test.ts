import { vectorStoreSuite } from '../../suites/vectorStores.ts';
import { inMemory } from '../../support/worlds/inMemory.ts';

describe('vector stores', () => vectorStoreSuite(inMemory));
