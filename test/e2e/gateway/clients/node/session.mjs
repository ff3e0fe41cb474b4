/**
 * Runs a client in each dialect, and prints what came of it as JSON.
 * @param partsOf the parts of a client's session by name; each gives what came, or throws
 */
export async function report(partsOf) {
  const config = JSON.parse(process.argv[2]);
  const outcomes = {};
  for (const [dialect, model] of Object.entries(config.models)) {
    outcomes[dialect] = {};
    for (const [part, run] of Object.entries(partsOf(model, config))) {
      outcomes[dialect][part] = await run().catch(describe);
    }
  }
  console.log(JSON.stringify(outcomes));
}

function describe(error) {
  const { status, statusCode, message } = error;
  return {
    failure: error.constructor.name,
    status: status ?? statusCode ?? null,
    message: String(message).slice(0, 500),
  };
}
