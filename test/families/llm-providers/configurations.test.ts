import { llmSuite } from '../../suites/llm/suite.ts';
import { inMemory } from '../../support/worlds/inMemory.ts';

describe('LLM configurations', () => llmSuite(inMemory));
