import { containerConnectionSuite } from '../../suites/containers/suite.ts';
import { overHttp } from '../../support/worlds/overHttp.ts';

describe('container connections over HTTP', () => containerConnectionSuite(overHttp));
