import { modelListSuite } from '../../suites/modelLists.ts';
import { modelSuite } from '../../suites/models.ts';
import { registeredModelSuite } from '../../suites/registeredModels.ts';
import { overHttp } from '../../support/worlds/overHttp.ts';

describe('models over HTTP', () => {
  describe('uploads', () => modelSuite(overHttp));
  describe('lists', () => modelListSuite(overHttp));
});

describe('registered models over HTTP', () => registeredModelSuite(overHttp));
