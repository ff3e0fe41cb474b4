const lines = (pem: string) => pem.trim().split(/\r?\n/);
const base64 = (text: string) => Buffer.from(text).toString('base64');

const BAG_ATTRIBUTES = [
  'Bag Attributes',
  '    localKeyID: 0A 1B 2C ',
  '    friendlyName: client — Größe',
  'subject=CN = client, O = "Example, Inc."',
  'issuer=CN = Example CA',
  '',
].join('\n');

const TEXT = [
  'Certificate:',
  '    Data:',
  '        Version: 3 (0x2)',
  '    Signature Algorithm: sha256WithRSAEncryption',
  '         5e:de:7a:fb:2c:f7:f9:b1:0f:86:02:91:39:4c:02:81:8c:2d:',
  '',
].join('\n');

const S_CLIENT = (pem: string) =>
  [
    'CONNECTED(00000003)',
    '---',
    'Certificate chain',
    ' 0 s:CN = server',
    '   i:CN = Example CA',
    '   v:NotBefore: Nov 20 2026 GMT; NotAfter: Nov 20 2126 GMT',
    pem.trim(),
    '---',
    'Server certificate',
    'subject=CN = server',
    '---',
    'No client certificate CA names sent',
    '',
  ].join('\n');

/** One PEM block in the forms in which programs write it and people paste it, by name. */
export function pastedForms(pem: string): [form: string, text: string][] {
  const indented = (by: string) => lines(pem).map((line) => `${by}${line}`);
  const middle = lines(pem).slice(1, -1).join('');
  return [
    ['carriage returns', lines(pem).join('\r')],
    ['carriage returns and line feeds', lines(pem).join('\r\n')],
    ['four blanks before each line', indented('    ').join('\n')],
    ['a tab before each line', indented('\t').join('\n')],
    ['blanks behind each line', lines(pem).join('  \n')],
    ['empty lines between', lines(pem).join('\n\n')],
    ['blanks for line breaks', lines(pem).join(' ')],
    ['no line breaks', `${lines(pem)[0]}${middle}${lines(pem).at(-1)}`],
    ['lines of 76 characters', [lines(pem)[0], ...(middle.match(/.{1,76}/g) ?? []), lines(pem).at(-1)].join('\n')],
    ['\\n as two characters', lines(pem).join('\\n')],
    ['\\r\\n as four characters', `"${lines(pem).join('\\r\\n')}\\r\\n"`],
    ['no-break spaces', indented('\u00a0').join('\n')],
    ['a byte order mark', `\ufeff${pem}`],
    ['openssl pkcs12', `${BAG_ATTRIBUTES}${pem}`],
    ['openssl x509 -text', `${TEXT}${pem}`],
    ['openssl s_client', S_CLIENT(pem)],
    ['base64', base64(pem)],
    ['base64 in lines', (base64(`${BAG_ATTRIBUTES}${pem}`).match(/.{1,76}/g) ?? []).join('\n  ')],
  ];
}
