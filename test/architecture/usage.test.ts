import { expect } from 'chai';
import { read, sources } from './sources.ts';

/** Where the gateway gets what calls an upstream. Add a door here together with its recording. */
const DOORS = {
  'gateway/models/openers.ts': /\bopenModel\b/,
  'gateway/predict/kinds.ts': /\bopenRegistration\(/,
  'gateway/retrieval/openers.ts': /\bopenStore\(stores\b/,
  'gateway/runs/invoke/runtimes.ts': /\bopenAgentServer\(|\bclouds\.at\(/,
  'gateway/tools/usableTools.ts': /\bConnectionTools\b/,
};
const BEGUN = /await use\.begin\([\s\S]*use\.meter\.upstream\(/;
/** The only places that use what a door gave, right after the use was asked to begin. */
const CALLERS = {
  'gateway/models/targets.ts': BEGUN,
  'gateway/predict/predict.ts': BEGUN,
  'gateway/retrieval/retrieve.ts': BEGUN,
  'gateway/runs/invoke/invokeStep.ts': BEGUN,
  'gateway/tools/callTool.ts': BEGUN,
};
const CALL = /\.(?:client\.)?(?:chat|embed)\(\s*(?:id|target\.model)\b/g;

describe('uses of upstreams', () => {
  const gateway = sources().filter((path) => path.startsWith('gateway/'));

  it('come through few doors', () => {
    const found = gateway.filter((path) => Object.values(DOORS).some((door) => door.test(read(path))));
    expect(found).to.deep.equal(Object.keys(DOORS));
  });

  it('are begun before a target is called, and counted with each answer', () => {
    for (const [path, order] of Object.entries(CALLERS)) expect(read(path), path).to.match(order);
    const callers = gateway.filter((path) => read(path).match(CALL));
    expect(callers).to.deep.equal(['gateway/models/chat.ts', 'gateway/models/embed.ts']);
    for (const path of callers) {
      const text = read(path);
      expect(text.match(/\buse\.count\(/g)?.length, path).to.equal(text.match(CALL)?.length);
    }
  });

  it('are records of one function', () => {
    const made = gateway.filter((path) => /new RecordedUse\(/.test(read(path)));
    expect(made).to.deep.equal(['gateway/use/recordedUse.ts']);
    const serving = gateway.filter((path) =>
      /\b(?:serveChat|serveEmbed|serveRetrieve|servePredict|serveToolCall|callTool|operation\.serve)\(/.test(
        read(path),
      ),
    );
    expect(serving.sort()).to.deep.equal([
      'gateway/batch/operations.ts',
      'gateway/handlers.ts',
      'gateway/mcp/connectionKind.ts',
      'gateway/mcp/storeKind.ts',
      'gateway/models/operations.ts',
      'gateway/predict/predict.ts',
      'gateway/retrieval/retrieve.ts',
      'gateway/runs/steps/calls.ts',
      'gateway/runs/steps/modelStep.ts',
      'gateway/tools/callTool.ts',
    ]);
    const calls = read('gateway/handlers.ts').match(/recordUse\(/g);
    expect(calls).to.have.length(5);
  });
});
