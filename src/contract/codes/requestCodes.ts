/** Codes of the topic `request`. @see Code */
export const REQUEST = {
  malformed_json: {
    status: 400,
    when: 'The body is not a JSON object in UTF-8.',
    remedy: 'Check quotes and shell expansion. curl sends a file with `-d @file.json`.',
  },
  validation_failed: {
    status: 400,
    when: 'Fields, parameters or headers are invalid. `errors` lists all of them.',
    remedy:
      'Correct the fields, headers or parameters that the message and `errors` name, then send the request again. GET /ml/openapi has every field. `warnings` names unknown fields, which may be misspelled.',
  },
  masked_value_without_stored_secret: {
    status: 400,
    when: 'The mask was sent for a field that has no stored secret.',
    remedy: 'Send the secret, or omit the field.',
  },
  secret_required_for_new_host: {
    status: 400,
    when: 'The request changes the host, or weakens its TLS verification, but keeps a stored secret. A stored secret is only sent to the host it was saved for.',
    remedy: 'Enter the secrets that the message or `errors` names again, or send "" to delete them.',
  },
  unknown_reference: {
    status: 400,
    when: 'The body refers to a connection, tool, store or model that does not exist or that the caller may not read.',
    remedy: 'Check the name, or ask its owner to share it.',
  },
  ambiguous_reference: {
    status: 400,
    when: 'The model reference fits several models. `candidates` lists references that fit one each.',
    remedy: 'Use one of `candidates`.',
    see: 'gateway.md#model-references',
  },
  tool_not_found: {
    status: 404,
    when: 'The MCP server has no tool of this name, or `tools_allowed` of the connection leaves it out.',
    remedy: 'POST /ml/mcp_connection/tools lists the tools and marks those that are allowed. Names are case-sensitive.',
    see: 'tools.md',
  },
  tool_changed: {
    status: 400,
    when: 'The tool is new, or its definition has changed, since the tools of the connection were accepted. It was not called.',
    remedy:
      'Look at the change with POST /ml/mcp_connection/tools, and accept it with POST /ml/mcp_connection/accept_tools.',
    see: 'tools.md',
  },
  model_not_runnable: {
    status: 400,
    when: 'The uploaded model cannot run here: it has operators or types that the runtime lacks, asks for too much memory, does not end, or has no value for each row. The message has what the runtime said.',
    remedy: 'Export the model again with tensors as inputs and outputs and standard operators, and upload it again.',
    see: 'models.md#upload-an-onnx-model',
  },
  content_refused: {
    status: 400,
    when: 'A masking policy refuses content of a kind that the request holds. `kinds` has each kind and its number of places; no value is shown.',
    remedy: 'Remove such content from the request, or use a model to which the policy does not apply.',
    see: 'masking.md#errors',
  },
  search_failed: {
    status: 400,
    when: 'The platform refused the search, or the search ended with an error. The message is that of the platform.',
    remedy: 'Correct the search as the message says. In Splunk Web, the job inspector of the search has more.',
    see: 'search-tools.md#errors',
  },
  search_not_allowed: {
    status: 400,
    when: 'The search has a command, macro, lookup or time range that is not allowed, or cannot be read without doubt. It was not run. `command` is the command at fault, or null; `position` its place in the text.',
    remedy: 'Search without it, or ask an administrator to publish the search as a search tool.',
    see: 'search-tools.md#which-searches-are-allowed',
  },
  payload_too_large: {
    status: 413,
    when: 'The body exceeds the limit of the endpoint (1 MB; more for model uploads), or the record would become too large.',
    remedy: 'Send a smaller body.',
  },
  unknown_endpoint: {
    status: 404,
    when: 'No endpoint has this path.',
    remedy: 'Compare the path with GET /ml/openapi.',
    see: '../endpoints.md',
  },
  method_not_allowed: {
    status: 405,
    when: 'The path does not support this method.',
    remedy: 'Use a method listed in the Allow header.',
  },
  endpoint_not_found: {
    status: 400,
    when: 'There is no SageMaker endpoint with this name in this region and account.',
    remedy: 'Check name, region and AWS account.',
  },
  endpoint_not_in_service: {
    status: 400,
    when: 'The endpoint is not in service. `endpoint_status` has its state.',
    remedy: 'Wait for InService, or repair the endpoint in AWS.',
  },
};
