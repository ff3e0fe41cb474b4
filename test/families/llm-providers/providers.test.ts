import { providerSuite } from '../../suites/llm/providers.ts';
import { inMemory } from '../../support/worlds/inMemory.ts';

describe('LLM providers', () => providerSuite(inMemory));
