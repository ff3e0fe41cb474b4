import { providerSuite } from '../../suites/llm/providers.ts';
import { llmSuite } from '../../suites/llm/suite.ts';
import { inMemory } from '../../support/worlds/inMemory.ts';

describe('LLM configurations', () => llmSuite(inMemory));

describe('LLM providers', () => providerSuite(inMemory));
