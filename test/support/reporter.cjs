// The spec reporter with one closing line that any CI understands: "N passed, N failed, N skipped".
const Mocha = require('mocha');

class ClosingLine extends Mocha.reporters.Spec {
  epilogue() {
    super.epilogue();
    const { passes, failures, pending } = this.stats;
    Mocha.reporters.Base.consoleLog(`${passes} passed, ${failures} failed, ${pending} skipped`);
  }
}

module.exports = ClosingLine;
