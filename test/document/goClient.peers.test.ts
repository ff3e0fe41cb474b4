import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { needs } from '../support/programs/part.ts';
import { DOCUMENT, ran } from './tools.ts';

const GENERATOR = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2';
const RUNTIME = 'github.com/oapi-codegen/runtime@v1.8.0';

/** What the generator makes is used as a program would: a name of Go for every name of the document. */
const USE = `package main

import (
	"fmt"

	"client/ml"
)

func main() {
	body := ml.McpConnectionCreate{Name: "Incident tools", Type: ml.PLATFORM}
	body.Details.Url = "https://mcp.example.com/mcp"
	fmt.Println(body.Name, body.Details.Url)
}
`;

describe('the document, as a generator for Go reads it', () => {
  let folder: string;
  before(async function () {
    const { code } = await ran('go', ['version']);
    needs(this, code === 0, 'Go');
    folder = mkdtempSync(join(tmpdir(), 'go-client-'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const go = async (...args: string[]) => {
    const done = await ran('go', args, { cwd: folder });
    expect(done.code, done.said.slice(-3000)).to.equal(0);
    return done.said;
  };

  it('makes a client that compiles and runs', async function () {
    // A new machine has to fetch and compile the generator.
    this.timeout(900_000);
    writeFileSync(join(folder, 'go.mod'), 'module client\n\ngo 1.24\n');
    writeFileSync(join(folder, 'main.go'), USE);
    mkdirSync(join(folder, 'ml'));
    await go('run', GENERATOR, '-generate', 'types,client', '-package', 'ml', '-o', 'ml/ml.go', DOCUMENT);
    await go('get', RUNTIME);
    await go('vet', './...');
    expect(await go('run', '.')).to.equal('Incident tools https://mcp.example.com/mcp\n');
  });
});
