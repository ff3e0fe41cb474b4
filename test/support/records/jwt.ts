/** A token that says itself when it ends, as servers that issue JWTs write it. @param exp epoch seconds */
export const jwt = (exp: number): string =>
  ['{"alg":"none"}', JSON.stringify({ sub: 'somebody', exp }), 'canary-signature']
    .map((part) => Buffer.from(part).toString('base64url'))
    .join('.');
