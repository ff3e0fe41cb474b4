import { expect } from 'chai';
import { OutboundError } from '../../../../src/contract/codes/outbound.ts';
import { textOfAnswer } from '../../../../src/gateway/runs/invoke/answerText.ts';

const json = (value: unknown) => textOfAnswer({ contentType: 'application/json', text: JSON.stringify(value) });
const stream = (text: string) => textOfAnswer({ contentType: 'text/event-stream; charset=utf-8', text });

describe('answers of agents that run elsewhere', () => {
  it('are the text of the usual forms', () => {
    for (const value of [
      'the answer',
      { output: 'the answer' },
      { result: 'the answer' },
      { response: 'the answer', status: 'success' },
      { message: { role: 'assistant', content: [{ text: 'the ' }, { text: 'answer' }] } },
      { result: { role: 'assistant', content: [{ type: 'text', text: 'the answer' }] } },
    ]) {
      expect(json(value), JSON.stringify(value)).to.equal('the answer');
    }
  });

  it('are their JSON in any other form, and text that is no JSON as it is', () => {
    for (const value of [{ answer: 1 }, { output: { score: 0.5 } }, { output: [] }, [1, 'x'], 42, true, null, {}]) {
      expect(json(value)).to.equal(JSON.stringify(value));
    }
    const deep = `${'{"output":'.repeat(20_000)}"x"${'}'.repeat(20_000)}`;
    expect(textOfAnswer({ contentType: 'application/json', text: deep })).to.equal(deep);
    expect(textOfAnswer({ contentType: 'text/plain', text: 'no JSON' })).to.equal('no JSON');
    expect(textOfAnswer({ contentType: '', text: '' })).to.equal('');
  });

  it('are all data of a stream in order, joined', () => {
    expect(stream('data: "the "\n\n: a comment\n\nevent: x\ndata: {"data": "ans"}\n\ndata: wer\n\n')).to.equal(
      'the answer',
    );
    expect(stream('\ufeffdata: a\r\n\r\ndata: b\r\ndata: c\r\n\r\n')).to.equal('ab\nc');
    expect(stream('data: "a"\n\ndata: {"tool": "x"}\n\ndata: [DONE]\n\n')).to.equal('a{"tool": "x"}');
  });

  it('take the last event of a stream that ends without an empty line', () => {
    for (const end of ['', '\n', '\n\n', '\r\n']) expect(stream(`data: "a"\n\ndata: "b"${end}`)).to.equal('ab');
  });

  it('are the body of a stream without events, unless that says nothing', () => {
    expect(stream('Hello raw world')).to.equal('Hello raw world');
    expect(stream('{"output":"the answer"}')).to.equal('the answer');
    expect(stream('first\nsecond: line\n')).to.equal('first\nsecond: line\n');
    expect(stream('data:\n\n')).to.equal('');
    for (const text of ['', '\n\n', ': ping\n\n', 'event: end\nid: 5\n\n']) {
      expect(() => stream(text), JSON.stringify(text)).to.throw(OutboundError, /sent no data/);
    }
  });

  it('are data of a stream under another content type, but no plain text', () => {
    const text = 'event: message\ndata: "Hel"\n\ndata: {"text":"lo"}\n\n';
    for (const contentType of ['application/json', 'application/octet-stream', '']) {
      expect(textOfAnswer({ contentType, text })).to.equal('Hello');
    }
    expect(textOfAnswer({ contentType: 'text/plain', text })).to.equal(text);
    for (const words of ['data: 5 of 7\nare read', 'data']) {
      expect(textOfAnswer({ contentType: 'application/json', text: words })).to.equal(words);
    }
  });

  it('are well-formed', () => {
    expect(json({ output: 'half \ud83d' })).to.equal('half \ufffd');
  });

  it('that report an error are none', () => {
    for (const work of [
      () => json({ error: 'out of memory' }),
      () => stream('data: "begun"\n\ndata: {"error": "out of memory", "error_type": "X"}\n\n'),
      () => stream('data: "begun"\n\nevent: error\ndata: out of memory\n\n'),
    ]) {
      expect(work).to.throw(OutboundError, /reported an error: out of memory/);
    }
    for (const error of [null, '', false, {}, [], 0]) expect(json({ output: 'x', error })).to.equal('x');
  });

  it('that report an error in another form are none', () => {
    for (const [error, reason] of [
      [{ message: 'boom', type: 'x' }, /error: boom/],
      [{ Message: 'boom' }, /error: boom/],
      [{ code: 'X1' }, /"code":"X1"/],
      [[{ message: 'boom' }], /error: boom/],
      [['boom'], /error: boom/],
      [true, /error: it did/],
    ] as const) {
      expect(() => json({ error }), JSON.stringify(error)).to.throw(OutboundError, reason);
      expect(() => stream(`data: "a"\n\ndata: ${JSON.stringify({ error })}\n\n`)).to.throw(OutboundError, reason);
    }
    for (const answer of [
      { error: 500, message: 'boom' },
      { error: { message: { text: 'boom' } } },
      { error: { error: { message: 'boom' } } },
      { errors: [{ message: 'boom' }] },
      { errorMessage: 'boom', errorType: 'Exception', stackTrace: [] },
    ]) {
      expect(() => json(answer), JSON.stringify(answer)).to.throw(OutboundError, /error: boom$/);
    }
    const event = 'event: error\ndata: {"message":"boom","type":"x"}\n\n';
    expect(() => stream(event)).to.throw(OutboundError, /error: boom$/);
    expect(() => json({ error: true, message: 'boom' })).to.throw(OutboundError, /error: boom/);
  });
});
