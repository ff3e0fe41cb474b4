import { availableParallelism, hostname, totalmem } from 'node:os';
import { type EaiEntry, systemAcl } from './eai.ts';
import { eaiRoutes, requireCapability } from './eaiRoutes.ts';
import { PLATFORM_BUILD, PLATFORM_VERSION } from './release.ts';
import type { Route } from './route.ts';

export interface ServerFacts {
  home: string;
  guid: string;
  startedAt: number;
  port: number;
  tls: boolean;
  /** `ready`, or what the KV store is instead. */
  kvStore(): { status: string; readOnly: boolean };
}

/** What the server says of itself. `facts` is asked at each request: the port is known only once it listens. */
export function serverRoutes(facts: () => ServerFacts): Route[] {
  const single = (path: string, title: string, name: string, content: () => EaiEntry['content']): Route[] =>
    eaiRoutes({ path, title, list: () => [{ name, acl: systemAcl(false), content: content() }] });
  return [
    ...single('/server/info', 'server-info', 'server-info', () => serverInfo(facts())),
    ...eaiRoutes({
      path: '/server/settings',
      title: 'server-settings',
      list: (req) => {
        requireCapability(req, 'list_settings', 'edit_server', 'admin_all_objects');
        return [{ name: 'settings', acl: systemAcl(false), content: settings(facts()) }];
      },
    }),
    ...single('/kvstore/status', 'kvstore-status', 'status', () => kvStatus(facts())),
    ...eaiRoutes({ path: '/messages', title: 'messages', list: () => [] }),
  ];
}

function serverInfo(facts: ServerFacts): EaiEntry['content'] {
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
    kvStoreStatus: facts.kvStore().status,
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
    os_name: process.platform === 'win32' ? 'Windows' : 'Linux',
    os_name_extended: process.platform,
    os_version: process.release.name,
    physicalMemoryMB: Math.floor(totalmem() / 1_048_576),
    product_type: 'enterprise',
    rtsearch_enabled: true,
    serverName: hostname(),
    server_roles: ['search_head', 'kv_store'],
    startup_time: Math.floor(facts.startedAt / 1000),
    staticAssetId: '0',
    version: PLATFORM_VERSION,
  };
}

function settings(facts: ServerFacts): EaiEntry['content'] {
  return {
    SPLUNK_DB: `${facts.home}/var/lib/splunk`,
    SPLUNK_HOME: facts.home,
    enableSplunkWebSSL: false,
    host: hostname(),
    httpport: 8000,
    kvStoreDisabled: false,
    kvStorePort: 8191,
    mgmtHostPort: facts.port,
    minFreeSpace: 5000,
    serverName: hostname(),
    sessionTimeout: '1h',
    startwebserver: false,
    trustedIP: null,
  };
}

function kvStatus(facts: ServerFacts): EaiEntry['content'] {
  const { status, readOnly } = facts.kvStore();
  return {
    current: {
      backupRestoreStatus: 'Ready',
      date: new Date().toISOString(),
      disabled: false,
      guid: facts.guid,
      port: 8191,
      readOnly,
      replicaSet: facts.guid,
      replicationStatus: 'KV store captain',
      standalone: 1,
      status,
      storageEngine: 'wiredTiger',
    },
  };
}
