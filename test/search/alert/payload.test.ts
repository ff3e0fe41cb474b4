import { expect } from 'chai';
import { PayloadError, readPayload } from '../../../src/search/alert/payload.ts';
import { callers, payloadOf } from './payloads.ts';

const read = (payload: object) => readPayload(JSON.stringify(payload));

describe('payload of an alert action', () => {
  for (const [caller, payload] of Object.entries(callers('https://127.0.0.1:8089'))) {
    it(`is read from ${caller}`, () => {
      const { sid, sessionKey, serverUri, searchName, params, result } = read(payload);
      expect([sessionKey, serverUri]).to.deep.equal([payload.session_key, 'https://127.0.0.1:8089']);
      expect(sid).to.equal(String(payload.sid));
      expect(searchName).to.equal(payload.search_name ?? '');
      expect(params).to.deep.equal(payload.configuration ?? {});
      expect(Object.keys(result)).to.not.include.members(['_bkt', '__mv_src', '_serial']);
    });
  }

  it('keeps the digits of an id that is a number', () => {
    const text = JSON.stringify(payloadOf({ sid: 'SID', result_id: 'ID' }));
    const { sid, resultId } = readPayload(
      text.replace('"SID"', '1790000000.10').replace('"ID"', '12345678901234567890'),
    );
    expect([sid, resultId]).to.deep.equal(['1790000000.10', '12345678901234567890']);
  });

  it('is read with a byte order mark', () => {
    expect(read(payloadOf()).sid).to.equal(readPayload(`\ufeff${JSON.stringify(payloadOf())}\r\n`).sid);
  });

  it('keeps multivalues, also of fields with unusual names, and drops what splunkd adds', () => {
    const row = '{"src": ["a", "b"], "__proto__": "x", "_time": "1", "_cd": "0:1", "__mv_src": "$a$;$b$", "n": null}';
    const { result } = readPayload(JSON.stringify(payloadOf({ result: 'ROW' })).replace('"ROW"', row));
    expect(Object.entries(result)).to.deep.equal([
      ['src', ['a', 'b']],
      ['__proto__', 'x'],
      ['_time', '1'],
      ['n', ''],
    ]);
  });

  it('is refused by the name of what is wrong, without a value of it', () => {
    const wrong: [string, RegExp][] = [
      ['', /no payload on stdin/],
      ['<alert><session_key>canary</session_key></alert>', /payload_format = json/],
      ['{"session_key": "canary"', /not JSON/],
      ['["canary"]', /not a JSON object/],
      [JSON.stringify(payloadOf({ sid: null })), /no sid$/],
      [JSON.stringify(payloadOf({ session_key: undefined })), /no session_key$/],
      [JSON.stringify(payloadOf({ server_uri: '' })), /no server_uri$/],
      ...['ftp://127.0.0.1', 'https://canary:x@127.0.0.1:8089', 'canary'].map((server_uri): [string, RegExp] => [
        JSON.stringify(payloadOf({ server_uri })),
        /^server_uri of the payload/,
      ]),
    ];
    for (const [text, message] of wrong) {
      expect(() => readPayload(text), text).to.throw(PayloadError, message);
      expect(() => readPayload(text), text)
        .to.throw()
        .with.property('message')
        .that.does.not.include('canary');
    }
  });
});
