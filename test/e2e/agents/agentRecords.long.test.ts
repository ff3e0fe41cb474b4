import { agentRuntimeSuite } from '../../suites/agentRuntimes.ts';
import { agentSuite } from '../../suites/agents.ts';
import { overHttp } from '../../support/worlds/overHttp.ts';

describe('agents over HTTP', () => {
  agentSuite(overHttp);
  agentRuntimeSuite(overHttp);
});
