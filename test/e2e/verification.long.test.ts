import { verificationSuite } from '../suites/verification/suite.ts';
import { overHttp } from '../support/worlds/overHttp.ts';

describe('verify before replace (contract 13) over HTTP', () => {
  verificationSuite(overHttp);
});
