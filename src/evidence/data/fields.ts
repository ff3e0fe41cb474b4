const USER_FIELDS: ReadonlySet<string> = new Set(
  [
    'user',
    'users',
    'srcuser',
    'destuser',
    'username',
    'usernames',
    'userid',
    'useridentity',
    'account',
    'accounts',
    'accountname',
  ].concat(
    ['owner', 'actor', 'caller', 'upn', 'userprincipalname', 'targetusername', 'subjectusername', 'samaccountname'],
    [
      'login',
      'loginname',
      'logonname',
      'initiator',
      'requestor',
      'assignee',
      'principal',
      'principalname',
      'suser',
      'duser',
    ],
    [
      'identity',
      'actoremail',
      'useremail',
      'manager',
      'benutzer',
      'konto',
      'utilisateur',
      'compte',
      'uid',
      'uname',
      'logonid',
    ],
  ),
);
const HOST_FIELDS: ReadonlySet<string> = new Set(
  [
    'host',
    'hosts',
    'hostname',
    'hostnames',
    'dvc',
    'device',
    'devices',
    'computer',
    'computername',
    'workstation',
    'machine',
  ].concat(
    [
      'workstationname',
      'machinename',
      'devicename',
      'server',
      'servername',
      'node',
      'nodename',
      'asset',
      'assetname',
      'endpoint',
    ],
    [
      'src',
      'dest',
      'dst',
      'source',
      'destination',
      'srchost',
      'desthost',
      'nthost',
      'srcnthost',
      'destnthost',
      'fqdn',
      'dns',
    ],
    [
      'destdns',
      'srcdns',
      'orighost',
      'splunkserver',
      'instance',
      'instancename',
      'vm',
      'vmname',
      'pod',
      'container',
      'client',
    ],
  ),
);
const USER_ENDINGS = ['user', 'username', 'accountname', 'userid', 'upn'];
const HOST_ENDINGS = ['host', 'hostname', 'computername', 'devicename', 'machinename', 'servername', 'workstation'];
const LONGEST = 80;

export interface FieldKind {
  isUser: boolean;
  isHost: boolean;
}

const NO_KIND: FieldKind = { isUser: false, isHost: false };

/** Whether a field holds users or hosts, by the last part of its name. */
export function fieldKind(field: string | undefined): FieldKind {
  if (field === undefined || field.length > LONGEST) return NO_KIND;
  const name = field
    .slice(field.lastIndexOf('.') + 1)
    .replace(/[^A-Za-z0-9]/g, '')
    .toLowerCase();
  return {
    isUser: isUserName(name),
    isHost: HOST_FIELDS.has(name) || HOST_ENDINGS.some((ending) => name.endsWith(ending)),
  };
}

const isUserName = (name: string): boolean =>
  USER_FIELDS.has(name) || USER_ENDINGS.some((ending) => name.endsWith(ending));

/** Whether a word of a text, such as `src_user`, names a field of users. */
export const isUserField = (word: string): boolean => isUserName(word.toLowerCase().replaceAll('_', ''));

/** Words before the name of a user, in texts; `isMany` where others than names often follow. */
export const USER_WORDS: ReadonlyMap<string, { isMany: boolean }> = new Map(
  Object.entries({
    ...{
      user: { isMany: false },
      account: { isMany: false },
      username: { isMany: false },
      benutzer: { isMany: false },
    },
    ...{
      konto: { isMany: false },
      utilisateur: { isMany: false },
      compte: { isMany: false },
      benutzers: { isMany: false },
    },
    ...{
      users: { isMany: true },
      accounts: { isMany: true },
      konten: { isMany: true },
      utilisateurs: { isMany: true },
    },
    ...{ comptes: { isMany: true } },
  }),
);
