import { modelListSuite } from '../suites/modelLists.ts';
import { modelSuite } from '../suites/models.ts';
import { overHttp } from '../support/worlds/overHttp.ts';

describe('models over HTTP, as in memory', () => {
  describe('uploads', () => modelSuite(overHttp));
  describe('lists', () => modelListSuite(overHttp));
});
