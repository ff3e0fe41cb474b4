import { connectionListSuite } from '../suites/connectionLists.ts';
import { inMemory } from '../support/worlds/inMemory.ts';

describe('list_connections', () => connectionListSuite(inMemory));
