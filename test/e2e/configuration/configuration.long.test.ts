import { mistakeSuite } from '../../suites/configuration/mistakes.ts';
import { rightsSuite } from '../../suites/configuration/rights.ts';
import { roundTripSuite } from '../../suites/configuration/roundTrip.ts';
import { secretSuite } from '../../suites/configuration/secrets.ts';
import { overHttp } from '../../support/worlds/overHttp.ts';

describe('configuration as a file over HTTP', () => {
  describe('round trip', () => roundTripSuite(overHttp));
  describe('mistakes', () => mistakeSuite(overHttp));
  describe('secrets', () => secretSuite(overHttp));
  describe('rights', () => rightsSuite(overHttp));
});
