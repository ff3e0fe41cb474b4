import { agentSuite } from '../../suites/agents/records.ts';
import { agentRunFieldSuite } from '../../suites/agents/runFields.ts';
import { agentRuntimeSuite } from '../../suites/agents/runtimes.ts';
import { overHttp } from '../../support/worlds/overHttp.ts';

describe('agents over HTTP', () => {
  agentSuite(overHttp);
  agentRuntimeSuite(overHttp);
  agentRunFieldSuite(overHttp);
});
