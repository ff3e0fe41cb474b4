// Launcher of the search commands, with the name of one; all of it stands below lib/.
await import('./lib/command.mjs');
