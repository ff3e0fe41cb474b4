import { expect } from 'chai';
import { BadDriverReply, translateDriverReply } from '../../src/drivers/reply.ts';

const translate = (reply: unknown, ssl = true) => translateDriverReply(Buffer.from(JSON.stringify(reply)), ssl);

describe('driver reply', () => {
  it('has status 200 and an empty body by default', () => {
    const { status, headers, body, reason } = translate({});
    expect({ status, headers, body: String(body), reason }).to.deep.equal({
      status: 200,
      headers: [],
      body: '',
      reason: undefined,
    });
  });

  it('accepts a status with a reason', () => {
    expect(translate({ status: 404, payload: 'x' })).to.deep.include({ status: 404 });
    expect(translate({ status: [418, "I'm a teapot"] })).to.deep.include({ status: 418, reason: "I'm a teapot" });
    expect(translate({ status: [201] }).reason).to.equal(undefined);
  });

  it('sends a string raw and without a type', () => {
    expect(translate({ payload: 'žluť\n' })).to.deep.equal({ status: 200, headers: [], body: 'žluť\n' });
    expect(translate({ payload: '' }).body).to.equal('');
  });

  it('sends objects, arrays and other values as JSON', () => {
    const json = [
      ['Content-Type', 'application/json; charset=UTF-8'],
      ['X-Content-Type-Options', 'nosniff'],
    ];
    expect(translate({ status: 400, payload: { a: ['ж'] } })).to.deep.equal({
      status: 400,
      headers: json,
      body: '{"a":["ж"]}',
    });
    expect(translate({ payload: [] })).to.deep.equal({ status: 200, headers: json, body: '[]' });
    expect(translate({ payload: false }).body).to.equal('false');
    expect(translate({ payload: {}, headers: { 'content-type': 'application/problem+json' } }).headers).to.deep.equal([
      ['content-type', 'application/problem+json'],
      ['X-Content-Type-Options', 'nosniff'],
    ]);
  });

  it('turns null into 204, without hiding an error', () => {
    expect(translate({ payload: null })).to.deep.equal({ status: 204, headers: [] });
    expect(translate({ status: 200, payload: null }).status).to.equal(204);
    expect(translate({ status: 500, payload: null })).to.deep.equal({ status: 500, headers: [] });
  });

  it('decodes payload_base64', () => {
    const bytes = Buffer.from([0, 255, 13, 10]);
    expect(translate({ payload_base64: bytes.toString('base64') })).to.deep.equal({
      status: 200,
      headers: [],
      body: bytes,
    });
  });

  it('accepts headers in three forms', () => {
    const pairs = [
      ['X-A', '1'],
      ['X-A', '2'],
    ];
    expect(translate({ headers: pairs }).headers).to.deep.equal(pairs);
    expect(translate({ headers: { 'X-A': ['1', '2'] } }).headers).to.deep.equal(pairs);
    expect(translate({ headers: { 'X-A': 1, 'X-B': '' } }).headers).to.deep.equal([
      ['X-A', '1'],
      ['X-B', ''],
    ]);
  });

  it('accepts cookies in three forms', () => {
    const cookies = (value: unknown, ssl = true) => translate({ cookies: value }, ssl).headers?.map(([, text]) => text);
    expect(cookies([{ name: 'a', value: '1' }])).to.deep.equal(['a=1; Secure; HttpOnly']);
    expect(cookies([{ name: 'a', value: '1' }], false)).to.deep.equal(['a=1; HttpOnly']);
    expect(
      cookies({
        a: { value: '1', domain: 'd.x', path: '/p', maxage: 60, secure: false, httponly: false },
        b: { value: 2 },
      }),
    ).to.deep.equal(['a=1; Domain=d.x; Path=/p; Max-Age=60', 'b=2; Secure; HttpOnly']);
    expect(cookies({ a: 'v' })).to.deep.equal(['a=v; Secure; HttpOnly']);
    expect(translate({ cookies: { a: '1' } }).headers?.[0]?.[0]).to.equal('Set-Cookie');
  });

  it('makes a file name a Content-Disposition', () => {
    const disposition = (filename: unknown) => translate({ filename }).headers?.[0];
    expect(disposition('a "b"\\.csv')).to.deep.equal([
      'Content-Disposition',
      'attachment; filename="a \\"b\\"\\\\.csv"',
    ]);
    expect(disposition("ж's.csv")?.[1]).to.equal("attachment; filename=\"_'s.csv\"; filename*=UTF-8''%D0%B6%27s.csv");
  });

  it('refuses what HTTP cannot carry', () => {
    const bad: [unknown, RegExp][] = [
      [{ status: 99 }, /status/],
      [{ status: 100 }, /status/],
      [{ status: 1000 }, /status/],
      [{ status: '200' }, /status/],
      [{ status: 200.5 }, /status/],
      [{ status: [] }, /status/],
      [{ status: [200, 'OK\r\nX: y'] }, /reason/],
      [{ status: [200, 7] }, /reason/],
      [{ headers: { 'X-A': 'a\r\nSet-Cookie: b=c' } }, /header that cannot be sent: "X-A"/],
      [{ headers: { 'X-A\r\nX-B': 'a' } }, /header that cannot be sent/],
      [{ headers: { 'X A': 'a' } }, /header that cannot be sent/],
      [{ headers: { 'X-A': 'ж' } }, /header that cannot be sent/],
      [{ headers: [['a']] }, /headers of an unknown form/],
      [{ headers: 'a: b' }, /headers of an unknown form/],
      [{ headers: { a: {} } }, /headers of an unknown form/],
      [{ cookies: [{ name: 'a', value: 'x\r\nX: y' }] }, /cookie whose value/],
      [{ cookies: [{ name: 'a', value: 'x; Domain=evil' }] }, /cookie whose value/],
      [{ cookies: [{ name: 'a=b', value: 'x' }] }, /cookie whose name/],
      [{ cookies: [{ value: 'x' }] }, /cookie whose name/],
      [{ cookies: [{ name: 'a', value: 'x', path: '/;x' }] }, /cookie whose path/],
      [{ cookies: [{ name: 'a', value: 'x', maxage: 'soon' }] }, /cookie whose maxage/],
      [{ cookies: 'a=b' }, /cookies of an unknown form/],
      [{ cookies: ['a=b'] }, /cookies of an unknown form/],
      [{ cookies: [{ name: 'a', value: 'ж' }] }, /header that cannot be sent/],
      [{ filename: 'a\r\nX: y' }, /filename/],
      [{ filename: 7 }, /filename/],
      [{ payload_base64: '!' }, /payload_base64/],
      [{ payload_base64: 7 }, /payload_base64/],
      [null, /not a JSON object/],
      [[{}], /not a JSON object/],
      ['{}', /not a JSON object/],
    ];
    for (const [reply, message] of bad) {
      expect(() => translate(reply), JSON.stringify(reply)).to.throw(BadDriverReply, message);
    }
  });
});
