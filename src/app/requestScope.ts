import { splunkdSearchJobs } from '../adapters/splunkd/searchJobs.ts';
import { splunkdSessions } from '../adapters/splunkd/sessions.ts';
import { Fault } from '../contract/faults.ts';
import { accessLists } from '../domain/accessLists.ts';
import type { AppInfo } from '../ports/appInfo.ts';
import type { LookupFiles } from '../ports/lookupFiles.ts';
import type { ModelInspector } from '../ports/modelInspector.ts';
import type { RestRequest } from '../rest/request.ts';
import type { RequestScope } from '../rest/requestScope.ts';
import { agentClouds } from './agentClouds.ts';
import { auditTrailOf, type TrailKeeper } from './auditTrail.ts';
import { knowledgeBases, modelEndpoints } from './aws.ts';
import { containerDependencies } from './containers.ts';
import type { Dependencies, SiteDependencies } from './dependencies.ts';
import { lazy } from './lazy.ts';
import { llmDependencies } from './llm.ts';
import { mcpDependencies } from './mcp.ts';
import { scopeOf } from './scope.ts';
import type { Splunkd, SplunkdAddress } from './splunkd.ts';

interface Process {
  splunkd(address: SplunkdAddress): Splunkd;
  app: AppInfo;
  secretPaths: Dependencies['secretPaths'];
  trail: TrailKeeper;
}

/** What each request is served with, on the platform that sent it. Cheap: nothing is loaded or called here. */
export function requestScopes(own: Process): (request: RestRequest) => RequestScope {
  return ({ serverUri, serverId, systemToken, sessionToken = '' }) => {
    if (systemToken === undefined) {
      throw new Fault(
        'store_unavailable',
        'The platform gave the app no system token; see passSystemAuth in restmap.conf',
      );
    }
    const splunkd = own.splunkd({ serverUri, serverId, systemToken });
    const { client, settings, stores, schema, credentials } = splunkd;
    const deps: SiteDependencies = {
      stores,
      schema,
      settings,
      secretPaths: own.secretPaths,
      app: own.app,
      mcp: mcpDependencies(settings, own.app.version),
      llm: llmDependencies(settings, credentials),
      containers: containerDependencies(splunkd),
      lookups: lookupFiles(splunkd, sessionToken),
      searches: splunkdSearchJobs(client, sessionToken),
      inspector: lazy<ModelInspector>(async () => (await import('../adapters/onnx/inspector.ts')).onnxInspector()),
      clouds: agentClouds(settings, credentials),
      knowledgeBases: knowledgeBases(settings),
      modelEndpoints: modelEndpoints(settings),
    };
    const common = {
      sessions: splunkdSessions(client),
      settings,
      accessLists: accessLists(splunkd.roles),
      assertCurrentSchema: () => schema.assertCurrent(stores),
    };
    return scopeOf(deps, common, auditTrailOf(splunkd, own.trail));
  };
}

const lookupFiles = ({ client }: Splunkd, session: string) =>
  lazy<LookupFiles>(async () => {
    const home = process.env.SPLUNK_HOME;
    if (home === undefined) throw new Fault('store_unavailable', 'SPLUNK_HOME is not set, so files cannot be found');
    return (await import('../adapters/splunkd/lookupFiles.ts')).splunkdLookups(client, session, home);
  });
