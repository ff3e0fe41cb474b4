import { connectionCheckSuite } from '../../suites/connectionChecks.ts';
import { connectionHealthSuite } from '../../suites/connectionHealth.ts';
import { connectionListSuite } from '../../suites/connectionLists.ts';
import { inMemory } from '../../support/worlds/inMemory.ts';

describe('connection health', () => connectionHealthSuite(inMemory));

describe('checks of connections', () => connectionCheckSuite(inMemory));

describe('list_connections', () => connectionListSuite(inMemory));
