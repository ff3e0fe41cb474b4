import { roundTripSuite } from '../suites/configuration/roundTrip.ts';
import { overHttp } from '../support/worlds/overHttp.ts';

describe('configuration as a file over HTTP, as in memory', () => roundTripSuite(overHttp));
