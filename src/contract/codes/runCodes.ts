/** Codes that only runs of agents and their steps carry: no request is answered with one, so they have no status. */
export const RUN_CODES = {
  index_not_allowed: {
    when: 'The answer of a run that an alert started was to go to an index that `[agents] result_indexes` does not name.',
    remedy: 'Name another index in the alert, or ask an administrator to add it to `[agents] result_indexes`.',
  },
  step_limit: {
    when: 'The model still called a tool in the last of `max_steps` requests.',
    remedy: 'Raise `max_steps`, or say in the prompts when to stop.',
  },
  token_limit: {
    when: 'The run had used its `max_tokens_per_run` before a request to the model.',
    remedy: 'Raise `max_tokens_per_run`, or give the agent less to read.',
  },
  no_progress: {
    when: 'The same call failed three times in a row.',
    remedy: 'The steps of the run say why: correct the tool, or say in the prompts how to call it.',
  },
  session_required: {
    when: 'A search was due, which only the user of the run can make, and that user took no step within 60 seconds of a decision.',
    remedy: 'Start the run again, and let its user keep it open. Searches run with the session of that user alone.',
  },
  unverified_claims: {
    when: 'The answer had values that were not found in the data of the run, and the agent has `on_unverified: fail`. `output` and `evidence` are on the run.',
    remedy:
      'Look at `evidence` of the run, which names them. Give the agent the tools to look them up, say in the prompts to use only what they show, or set `on_unverified` to `mark` or `ask_again`.',
  },
  tools_unavailable: {
    when: 'An MCP connection, vector store or search tool that the agent names could not be used, at three tries: its server did not list its tools, its last test failed, or it is switched off. The model was not asked.',
    remedy:
      'Test what `unavailable` of the last step names, and start the run again when the test succeeds; or take it out of the agent, or set `on_unavailable` to `continue`.',
  },
} as const;
