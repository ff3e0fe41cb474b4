import { providerSuite } from '../../suites/llm/providers.ts';
import { overHttp } from '../../support/worlds/overHttp.ts';

describe('LLM providers over HTTP', () => providerSuite(overHttp));
