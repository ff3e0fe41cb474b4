/**
 * Words that stand behind `user` or `account` and are no names. Others of capital and small letters are taken for names, so that an
 * invented one is marked.
 */
const NO_NAMES = `
a about access accessed accessing account accounts across action actions activity added adding admin administrator after again against agent
alert all allowed already also always am an and any anything appeared appears are as at attempt attempted attempts authenticated authentication
authenticates base based be because been before began behavior behaviour being belongs below between both but by came can cannot changed changes
clicked closed com compromise compromised connected connecting connections contacted context control could count counts created creation
credential credentials data database deleted denied details did directory disabled do does domain done downloaded during each email enabled
enumeration environment error event events every everything exec executed executes execution failed fails failure failures field fields file files
first for found from gained gave generated got granted group groups had has have having he her here his home host id identified identifier
identity if in included information initiated input interaction interface into involved is issued it its itself launched list listed located
location lock locked lockout lockouts log logged logging login logins logoff logon logons logout logs made management manager may member
members might modified more most mounted must name named names need needs never no nor not noted nothing now object observed of off on once
one only opened or other others our out over owned owner owns page password passwords performed permission permissions policy possibly
present privilege privileges process processes profile profiles properties ran reached received record recorded records refused rejected
removed report reported requested requests required requires reset responsible right rights role roles run running runs said same saw
seen sent service session sessions set several shall she should showed shows sid since so space started starts state status still
stopped submitted succeeded successful successfully such system takeover than that the their them then there these they this those through
to token tokens took tried tries triggered twice type under until unlocked up updated upon use used user username users uses using
value values via visited was we were what when where whether which while who whose will with within without would you your
accessible agents attack behind cases changing compromises department exists interactions invoked joined leaves lists logged-in
login-failures maintains matches means near onboarding opens performs per problem provided provisioning quit reads related remains replied
remote resides resolved returned reviewed risk sample scope side signed simply somehow stated submitted supports suspected switched tested
text training unable unknown unlock verified verification viewed working works wrote yet
aber als am an auf aus bei bis dann das dass dem den der des die dies diese dieser durch ein eine einem einen einer es für gegen gibt hat hatte hatten
haben im in ist kein keine konnte konten konto man mehr meldete mit nach nicht noch nur ob oder ohne schlug sein seine sich sie sind soll sowie über um und
unter verwendete verwendet vom von vor war waren wegen wenn werden wie wird wurde wurden zu zum zur zwischen erfolgreich gesperrt angemeldet
a au aux avait avec ce cette dans de des du elle en est et était il la le les leur mais ne ni ou par pas pour qui sa sans se ses son sont sur un une
`;
export const NO_NAME: ReadonlySet<string> = new Set(NO_NAMES.trim().split(/\s+/));

/** Names of accounts and first labels of names that are also plain words: elsewhere than behind `user` they stand for themselves. */
export const PLAIN_WORDS: ReadonlySet<string> = new Set(
  `www mail login web api app test data user admin server host file files cdn static news support download update portal shop blog docs
  status internal external system service unknown none null true false the and guest local localhost account search smtp auth sso vpn dns
  proxy remote client source example security login account`.split(/\s+/),
);
