import { mistakeSuite } from '../../suites/configuration/mistakes.ts';
import { inMemory } from '../../support/worlds/inMemory.ts';

describe('configuration as a file: mistakes', () => mistakeSuite(inMemory));
