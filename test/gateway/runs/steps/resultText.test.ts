import { expect } from 'chai';
import { textOfResult } from '../../../../src/gateway/runs/steps/resultText.ts';

const read = (content: Record<string, unknown>[], structuredContent?: unknown) =>
  textOfResult({ content, isError: false, ...(structuredContent === undefined ? {} : { structuredContent }) });
const text = (words: string) => ({ type: 'text', text: words });
const bytes = (count: number) => Buffer.alloc(count).toString('base64');

describe('what a model reads of a result', () => {
  it('are its texts', () => {
    expect(read([text('one'), text(''), text('two')], { rows: [1] })).to.equal('one\n\ntwo');
    expect(read([])).to.equal('');
    expect(read([text(' ')])).to.equal(' ');
  });

  it('is the structured result where there is no text', () => {
    for (const content of [[], [text('')], [text(' \n'), text('')]]) {
      expect(read(content, { rows: [1] })).to.match(/^\{"rows":\[1\]\}/);
    }
    expect(read([text('')], [1])).to.equal('[1]');
    expect(read([], 0)).to.equal('0');
    expect(read([], { id: 9007199254740993n })).to.equal('{"id":9007199254740993}');
  });

  it('has a note in place of bytes, and keeps the texts', () => {
    const image = { type: 'image', data: bytes(200_000), mimeType: 'image/png' };
    const blob = { type: 'resource', resource: { uri: 'file:///a.pdf', blob: bytes(5), mimeType: 'application/pdf' } };
    const audio = { type: 'audio', data: bytes(3) };
    expect(read([image])).to.equal('[image, image/png, 200000 bytes, not shown]');
    expect(read([text('before'), image, text('behind')])).to.equal(
      'before\n[image, image/png, 200000 bytes, not shown]\nbehind',
    );
    expect(read([blob, audio])).to.equal(
      '[file, application/pdf, file:///a.pdf, 5 bytes, not shown]\n[audio, 3 bytes, not shown]',
    );
    expect(read([text(''), image], { rows: [1] })).to.equal(
      '{"rows":[1]}\n[image, image/png, 200000 bytes, not shown]',
    );
  });

  it('has a note in place of files inside of texts', () => {
    const url = `data:image/png;base64,${bytes(9000)}`;
    const note = '[file, image/png, 9000 bytes, not shown]';
    expect(read([text(`![chart](${url}) behind`)])).to.equal(`![chart](${note}) behind`);
    expect(read([], { chart: url, rows: [1] })).to.equal(`{"chart":"${note}","rows":[1]}`);
    const icon = `data:image/png;base64,${bytes(30)}`;
    expect(read([text(icon)])).to.equal(icon);
  });

  it('has embedded texts as they are, and links as JSON', () => {
    const link = { type: 'resource_link', uri: 'https://a.example', name: 'a' };
    expect(read([{ type: 'resource', resource: { uri: 'x:1', text: 'inside' } }, link])).to.equal(
      `inside\n${JSON.stringify(link)}`,
    );
  });

  it('is well-formed', () => {
    expect(read([text('half \ud83d end')])).to.equal('half \ufffd end');
    expect(read([], { a: '\ud83d' })).to.equal('{"a":"\ufffd"}');
    expect(read([text('whole \ud83d\ude80')])).to.equal('whole \ud83d\ude80');
  });
});
