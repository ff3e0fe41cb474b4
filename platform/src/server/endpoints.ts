import { availableParallelism, hostname, totalmem } from 'node:os';
import { type EaiEntry, systemAcl } from '../eai/entry.ts';
import { eaiRoutes, requireCapability } from '../eai/routes.ts';
import { PLATFORM_BUILD, PLATFORM_VERSION } from '../home/home.ts';
import type { Route } from '../http/route.ts';

export interface ServerFacts {
  home: string;
  guid: string;
  startedAt: number;
  port: number;
  /** Port of the web side; undefined without one. */
  webPort: number | undefined;
  tls: boolean;
  name: string;
  /** `ready`, or the state of the KV store. */
  kvStore(): Promise<string>;
  /** In a cluster: whether this member holds the KV store. */
  member?: { holder: boolean };
}

/** The port that a KV store would have; nothing listens there. */
const KV_PORT = 8191;

/** The `server` endpoints. `facts` is called for each request, since the port is known only after listening. */
export function serverRoutes(facts: () => ServerFacts): Route[] {
  const single = (path: string, title: string, name: string, content: () => Promise<EaiEntry['content']>): Route[] =>
    eaiRoutes({
      path,
      title,
      isReloadable: false,
      list: async () => [{ name, acl: systemAcl(false), content: await content() }],
    });
  return [
    ...single('/server/info', 'server-info', 'server-info', () => serverInfo(facts())),
    ...eaiRoutes({
      path: '/server/settings',
      title: 'server-settings',
      isReloadable: false,
      list: async (req) => {
        requireCapability(req, 'list_settings', 'edit_server', 'admin_all_objects');
        return [{ name: 'settings', acl: systemAcl(false), content: await settings(facts()) }];
      },
    }),
  ];
}

async function serverInfo(facts: ServerFacts): Promise<EaiEntry['content']> {
  return {
    activeLicenseGroup: 'Enterprise',
    activeLicenseSubgroup: 'Production',
    build: PLATFORM_BUILD,
    cpu_arch: process.arch === 'x64' ? 'x86_64' : process.arch,
    federated_search_enabled: false,
    fips_mode: false,
    guid: facts.guid,
    health_info: 'green',
    health_version: 1,
    host: hostname(),
    host_fqdn: hostname(),
    host_resolved: hostname(),
    isForwarding: false,
    isFree: false,
    isTrial: false,
    kvStoreStatus: await facts.kvStore(),
    licenseKeys: ['FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF'],
    licenseSignature: '00000000000000000000000000000000',
    licenseState: 'OK',
    license_labels: ['Embedded platform'],
    manager_guid: facts.guid,
    manager_uri: 'self',
    master_guid: facts.guid,
    master_uri: 'self',
    max_users: 4294967295,
    mode: 'normal',
    numberOfCores: availableParallelism(),
    numberOfVirtualCores: availableParallelism(),
    os_build: process.version,
    os_name: 'Linux',
    os_name_extended: process.platform,
    os_version: process.release.name,
    physicalMemoryMB: Math.floor(totalmem() / 1_048_576),
    product_type: 'enterprise',
    rtsearch_enabled: true,
    serverName: facts.name,
    server_roles: ['search_head', 'kv_store', ...(facts.member ? ['shc_member'] : [])],
    startup_time: Math.floor(facts.startedAt / 1000),
    staticAssetId: '0',
    version: PLATFORM_VERSION,
  };
}

async function settings(facts: ServerFacts): Promise<EaiEntry['content']> {
  return {
    SPLUNK_DB: `${facts.home}/var/lib/splunk`,
    SPLUNK_HOME: facts.home,
    enableSplunkWebSSL: false,
    host: hostname(),
    httpport: facts.webPort ?? 8000,
    kvStoreDisabled: (await facts.kvStore()) === 'disabled',
    kvStorePort: KV_PORT,
    mgmtHostPort: facts.port,
    minFreeSpace: 5000,
    serverName: facts.name,
    sessionTimeout: '1h',
    startwebserver: facts.webPort !== undefined,
    trustedIP: null,
  };
}
