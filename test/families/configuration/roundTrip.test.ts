import { roundTripSuite } from '../../suites/configuration/roundTrip.ts';
import { inMemory } from '../../support/worlds/inMemory.ts';

describe('configuration as a file', () => roundTripSuite(inMemory));
