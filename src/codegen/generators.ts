import { table } from '../table.ts';
import { authorizeConf, collectionsConf, restmapConf, webConf } from './conf.ts';
import { endpointsMd, errorsMd } from './docs.ts';
import { openApi } from './openapi.ts';

/** Everything that is generated and committed; a test compares each with what stands in the repository. */
export const generators: Readonly<Record<string, () => string>> = {
  'default/restmap.conf': restmapConf,
  'default/web.conf': webConf,
  'default/collections.conf': collectionsConf,
  'default/authorize.conf': authorizeConf,
  'docs/openapi.json': () => `${JSON.stringify(openApi(table), null, 2)}\n`,
  'docs/endpoints.md': () => endpointsMd(table),
  'docs/errors.md': errorsMd,
};
