import { newerFormsSuite } from '../suites/newerForms.ts';
import { overHttp } from '../support/worlds/overHttp.ts';

describe('records of a newer version, over HTTP', () => newerFormsSuite(overHttp));
