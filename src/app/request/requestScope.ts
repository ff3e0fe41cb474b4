import { splunkdEvents } from '../../adapters/splunkd/own/eventIndex.ts';
import { splunkdMessages } from '../../adapters/splunkd/own/messages.ts';
import { splunkdSearchJobs } from '../../adapters/splunkd/searchJobs.ts';
import { splunkdSessions } from '../../adapters/splunkd/sessions.ts';
import { splunkdUsers } from '../../adapters/splunkd/users.ts';
import { Fault } from '../../contract/codes/faults.ts';
import { accessLists } from '../../domain/access/accessLists.ts';
import type { ModelInspector } from '../../ports/onnx/modelInspector.ts';
import type { AppInfo } from '../../ports/platform/appInfo.ts';
import type { PlatformSearches } from '../../ports/platform/platformSearches.ts';
import type { SchemaChecks } from '../../ports/platform/schemaChecks.ts';
import type { LookupFiles } from '../../ports/stores/lookupFiles.ts';
import type { RestRequest } from '../../rest/request.ts';
import type { Admission, RequestScope } from '../../rest/requestScope.ts';
import { agentClouds } from '../dependencies/agentClouds.ts';
import { createAuditTrail, type TrailState } from '../dependencies/auditTrail.ts';
import { knowledgeBases, modelEndpoints } from '../dependencies/aws.ts';
import { containerDependencies } from '../dependencies/containers.ts';
import type { Dependencies, SiteDependencies } from '../dependencies/dependencies.ts';
import { memberPassages } from '../dependencies/knowledge/passages.ts';
import { sqlServers } from '../dependencies/knowledge/sqlServers.ts';
import { llmDependencies } from '../dependencies/llm.ts';
import { mcpDependencies } from '../dependencies/mcp.ts';
import { modelProcesses } from '../dependencies/models/onnx.ts';
import { takeSearchSlot } from '../dependencies/slots.ts';
import type { Splunkd, SplunkdAddress } from '../dependencies/splunkd.ts';
import { lazy } from '../lazy.ts';
import { type HandlerSource, scopeOf } from './scope.ts';

interface Process {
  splunkd(address: SplunkdAddress): Splunkd;
  app: AppInfo;
  plans: Dependencies['plans'];
  stored: Dependencies['stored'];
  trail: TrailState;
  schemas: SchemaChecks;
}

/** Creates the scope of a request. Cheap: nothing is loaded or called here. */
export function requestScopes(
  state: Process,
): (request: RestRequest, handlersOf: HandlerSource, admission?: Admission) => RequestScope {
  return ({ serverUri, serverId, systemToken, sessionToken = '' }, handlersOf, admission) => {
    if (systemToken === undefined) {
      throw new Fault('store_unavailable', 'The platform sent no system token. Set passSystemAuth in restmap.conf.');
    }
    const splunkd = state.splunkd({ serverUri, serverId, systemToken });
    const { client, settings, prices, stores, schema, credentials } = splunkd;
    const deps: SiteDependencies = {
      stores,
      schema,
      settings,
      prices,
      events: splunkdEvents(client, systemToken),
      messages: splunkdMessages(client, systemToken),
      users: splunkdUsers(client, systemToken),
      roles: splunkd.roles,
      plans: state.plans,
      stored: state.stored,
      app: state.app,
      mcp: mcpDependencies(settings, state.app.version),
      llm: llmDependencies(settings, credentials, splunkd.tenant),
      containers: containerDependencies(splunkd),
      lookups: lookupFiles(splunkd, sessionToken),
      searches: splunkdSearchJobs(client, sessionToken, systemToken),
      platformSearches: platformSearches(splunkd, sessionToken),
      schemas: state.schemas,
      inspector: lazy<ModelInspector>(async () => (await import('../../adapters/onnx/inspector.ts')).onnxInspector()),
      onnx: modelProcesses(),
      clouds: agentClouds(settings, credentials, stores.log),
      knowledgeBases: knowledgeBases(settings),
      passageFiles: memberPassages(),
      sqlServers: sqlServers(settings),
      modelEndpoints: modelEndpoints(settings),
      maskingTools: async () => (await import('../../adapters/masking/tools.ts')).maskingTools(),
    };
    const common = {
      sessions: splunkdSessions(client),
      settings,
      accessLists: accessLists(splunkd.roles),
      assertCurrentSchema: () => schema.assertCurrent(stores),
      admission: admission ?? settings.admission,
    };
    return scopeOf(deps, common, createAuditTrail(splunkd, state.trail), handlersOf);
  };
}

const platformSearches = ({ client, address: { systemToken } }: Splunkd, sessionToken: string) =>
  lazy<PlatformSearches>(async () => {
    const { splunkdPlatformSearches } = await import('../../adapters/splunkd/searches/platformSearches.ts');
    return splunkdPlatformSearches({ client, sessionToken, systemToken, takeSlot: takeSearchSlot });
  });

const lookupFiles = ({ client }: Splunkd, session: string) =>
  lazy<LookupFiles>(async () => {
    const home = process.env.SPLUNK_HOME;
    if (home === undefined) throw new Fault('store_unavailable', 'SPLUNK_HOME is not set');
    return (await import('../../adapters/splunkd/stores/lookupFiles.ts')).splunkdLookups(client, session, home);
  });
