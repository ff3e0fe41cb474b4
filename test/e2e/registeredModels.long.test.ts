import { registeredModelSuite } from '../suites/registeredModels.ts';
import { overHttp } from '../support/worlds/overHttp.ts';

describe('registered models over HTTP, as in memory', () => registeredModelSuite(overHttp));
