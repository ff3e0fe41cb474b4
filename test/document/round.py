"""A record from its creation to its removal, through the client that openapi-python-client made of the document."""

import os

from ml_client import AuthenticatedClient
from ml_client.api.mcp_connections import (
    create_mcp_connection,
    delete_mcp_connection,
    get_mcp_connection,
    list_mcp_connections,
    update_mcp_connection,
)
from ml_client.models import (
    ErrorCode,
    Failure,
    McpConnectionCreate,
    McpConnectionDetailsCreate,
    McpConnectionType,
    McpConnectionUpdate,
)

client = AuthenticatedClient(
    base_url=f"{os.environ['ML_URL']}/services",
    token=os.environ["ML_SESSION"],
    prefix="Splunk",
)

SECRET = "a-token-that-nobody-sees"
body = McpConnectionCreate(
    name="Incident tools",
    type_=McpConnectionType.PLATFORM,
    details=McpConnectionDetailsCreate(url="https://mcp.example.com/mcp", token=SECRET),
)

made = create_mcp_connection.sync(client=client, body=body)
assert made.config.name == "Incident tools", made
assert made.config.details.token == "***MASKED***", made
assert SECRET not in str(made.to_dict())

again = create_mcp_connection.sync(client=client, body=body)
assert isinstance(again, Failure), again
assert again.error_code == ErrorCode.DUPLICATE_NAME, again

read = get_mcp_connection.sync("Incident tools", client=client)
assert read.config.version == 1, read
assert SECRET not in str(read.to_dict())

change = McpConnectionUpdate(name="Incident tools", description="read only", version=1)
changed = update_mcp_connection.sync(client=client, body=change)
assert (changed.config.version, changed.config.description) == (2, "read only"), changed
assert changed.config.details.token == "***MASKED***", changed

late = update_mcp_connection.sync(client=client, body=change)
assert isinstance(late, Failure), late
assert (late.error_code, late.current_version) == (ErrorCode.VERSION_CONFLICT, 2), late

page = list_mcp_connections.sync(client=client, count=10)
assert [one.name for one in page.result] == ["Incident tools"], page

gone = delete_mcp_connection.sync("Incident tools", client=client)
assert gone.name == "Incident tools", gone
missing = get_mcp_connection.sync("Incident tools", client=client)
assert isinstance(missing, Failure), missing
assert missing.error_code == ErrorCode.NOT_FOUND, missing
print("the round is done")
