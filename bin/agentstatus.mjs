// Launcher of the search command agentstatus; all of it stands below lib/.
await import('./lib/agentStatus.mjs');
