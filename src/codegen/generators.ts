import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { table } from '../table.ts';
import { clientOperations, clientSchemas } from './client/clientTypes.ts';
import { consoleFields, consoleRights } from './client/consoleFacts.ts';
import { alertActionsConf, alertActionsSpec, alertForm, savedSearchesSpec } from './conf/alertAction.ts';
import { appConf, appManifest, authorizeConf, collectionsConf, serverConf } from './conf/conf.ts';
import { navXml, viewFiles } from './conf/consoleViews.ts';
import { driverLaunchers, restmapConf, webConf } from './conf/driverConf.ts';
import { runsDashboardXml } from './conf/runsDashboard.ts';
import { savedsearchesConf } from './conf/savedSearches.ts';
import { commandLaunchers, commandsConf, commandsMd, propsConf, searchbnfConf } from './conf/searchConf.ts';
import { settingsSpec } from './conf/settingsSpec.ts';
import { usageDashboardXml } from './conf/usageDashboard.ts';
import { endpointsMd, errorsMd, troubleshootingMd, withCommands, withRooms } from './docs.ts';
import { kernelCode } from './kernel.ts';
import { compactJson } from './openapi/compactJson.ts';
import { openApi } from './openapi/openapi.ts';
import { commandTable } from './spl/commandTable.ts';

const project = join(import.meta.dirname, '../..');
const TROUBLESHOOTING = 'docs/guide/troubleshooting.md';
const GUARD = 'docs/guide/search-guard.md';
/** Handwritten pages that print the table of rooms. */
const MAPS = ['CONTRIBUTING.md', 'docs/guide/architecture.md'];

const current = (path: string): string => readFileSync(join(project, path), 'utf8');

/** All generated files in the repository; the build fails if one is stale. */
export const generators: Readonly<Record<string, () => string>> = {
  'default/app.conf': appConf,
  'app/app.manifest': appManifest,
  'default/server.conf': serverConf,
  'default/restmap.conf': restmapConf,
  'default/web.conf': webConf,
  ...driverLaunchers,
  'default/collections.conf': collectionsConf,
  'default/authorize.conf': authorizeConf,
  'default/commands.conf': commandsConf,
  'default/searchbnf.conf': searchbnfConf,
  ...commandLaunchers,
  'docs/commands.md': commandsMd,
  'default/props.conf': propsConf,
  'default/savedsearches.conf': savedsearchesConf,
  'default/alert_actions.conf': alertActionsConf,
  'default/data/ui/alerts/ml_agent.html': alertForm,
  'app/README/alert_actions.conf.spec': alertActionsSpec,
  'app/README/savedsearches.conf.spec': savedSearchesSpec,
  'app/README/ml_extension.conf.spec': settingsSpec,
  'docs/openapi.json': () => `${compactJson(openApi(table))}\n`,
  'docs/endpoints.md': () => endpointsMd(table),
  'docs/errors.md': errorsMd,
  [TROUBLESHOOTING]: () => troubleshootingMd(current(TROUBLESHOOTING)),
  ...Object.fromEntries(MAPS.map((path) => [path, () => withRooms(current(path))])),
  [GUARD]: () => withCommands(current(GUARD)),
  'default/data/ui/nav/default.xml': navXml,
  ...viewFiles,
  'default/data/ui/views/ml_usage_dashboard.xml': usageDashboardXml,
  'default/data/ui/views/ml_agent_runs_dashboard.xml': runsDashboardXml,
  'src/spl/commands/table.ts': commandTable,
  'src/adapters/knowledge/kernelCode.ts': kernelCode,
  'console/generated/rights.ts': () => consoleRights(table),
  'console/generated/fields.ts': () => consoleFields(table),
  'client/src/operations.ts': () => clientOperations(table),
  'client/src/schemas.ts': () => clientSchemas(table),
};
