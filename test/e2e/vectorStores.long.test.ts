import { vectorStoreSuite } from '../suites/vectorStores.ts';
import { overHttp } from '../support/worlds/overHttp.ts';

describe('vector stores over HTTP, as in memory', () => vectorStoreSuite(overHttp));
