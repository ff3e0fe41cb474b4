import { containerConnectionSuite } from '../suites/containers/suite.ts';
import { overHttp } from '../support/worlds/overHttp.ts';

describe('container connections over HTTP, as in memory', () => containerConnectionSuite(overHttp));
