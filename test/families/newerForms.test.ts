import { newerFormsSuite } from '../suites/newerForms.ts';
import { inMemory } from '../support/worlds/inMemory.ts';

describe('records of a newer version', () => newerFormsSuite(inMemory));
