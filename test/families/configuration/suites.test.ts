import { mistakeSuite } from '../../suites/configuration/mistakes.ts';
import { rightsSuite } from '../../suites/configuration/rights.ts';
import { roundTripSuite } from '../../suites/configuration/roundTrip.ts';
import { secretSuite } from '../../suites/configuration/secrets.ts';
import { inMemory } from '../../support/worlds/inMemory.ts';

describe('configuration as a file', () => roundTripSuite(inMemory));

describe('configuration as a file: mistakes', () => mistakeSuite(inMemory));

describe('configuration as a file: secrets', () => secretSuite(inMemory));

describe('configuration as a file: rights', () => rightsSuite(inMemory));
